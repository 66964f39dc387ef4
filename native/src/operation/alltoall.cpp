// MPI_Alltoall: rank r ends with block r of every rank, in rank order.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Alltoall final : public Collective {
public:
    Alltoall(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = site.n_ranks, .received = site.n_ranks}) {}

    int call() override { return MPI_Alltoall(send(), count(), type(), receive(), count(), type(), comm()); }

private:
    [[nodiscard]] Origin origin(int block) const override { return Origin::rank(block, own_block()); }
};

} // namespace

extern constinit const OperationMember alltoall{
    {{"alltoall", "a block of its own from every rank to every rank", "", {}}, make<Alltoall>},
    "MPI_Alltoall",
    Volume::blocks,
    /*rooted=*/false,
    /*reduces=*/false,
};

} // namespace ictus::operation
