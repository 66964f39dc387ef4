// MPI_Reduce_scatter: rank r ends with block r of the reduction of all ranks' p blocks. Each block's size is told on
// its own; here they are all equal.
#include "operation/collective.hpp"

#include <vector>

namespace ictus::operation {
namespace {

class ReduceScatter final : public Collective {
public:
    ReduceScatter(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = site.n_ranks, .received = 1}),
          counts_(static_cast<std::size_t>(site.n_ranks), count()) {}

    int call() override { return MPI_Reduce_scatter(send(), receive(), counts_.data(), type(), reduction(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks(), own_block()); }

    std::vector<int> counts_;
};

} // namespace

extern constinit const OperationMember reduce_scatter{
    {{"reduce-scatter", "a block of its own of the reduction to every rank, the size of each block given", "", {}},
     make<ReduceScatter>},
    "MPI_Reduce_scatter",
    Volume::blocks,
    /*rooted=*/false,
    /*reduces=*/true,
};

} // namespace ictus::operation
