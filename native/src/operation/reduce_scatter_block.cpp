// MPI_Reduce_scatter_block: rank r ends with block r of the reduction of all ranks' p blocks.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class ReduceScatterBlock final : public Collective {
public:
    ReduceScatterBlock(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = site.n_ranks, .received = 1}) {}

    int call() override { return MPI_Reduce_scatter_block(send(), receive(), count(), type(), reduction(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks(), own_block()); }
};

} // namespace

extern constinit const OperationMember reduce_scatter_block{
    {{"reduce-scatter-block", "a block of its own of the reduction to every rank, all blocks of one size", "", {}},
     make<ReduceScatterBlock>},
    "MPI_Reduce_scatter_block",
    Volume::blocks,
    /*rooted=*/false,
    /*reduces=*/true,
};

} // namespace ictus::operation
