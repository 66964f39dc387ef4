// MPI_Gather: the root ends with the blocks of all ranks, in rank order. Other ranks receive nothing.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Gather final : public Collective {
public:
    Gather(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {1, site.n_ranks, site.rank == site.root ? Arrival::written : Arrival::untouched}) {}

    int call() override { return MPI_Gather(send(), count(), type(), receive(), count(), type(), root(), comm()); }

private:
    [[nodiscard]] Origin origin(int block) const override { return Origin::rank(block); }
};

} // namespace

extern constinit const OperationMember gather{
    {{"gather", "the blocks of all ranks to the root", "", {}}, make<Gather>},
    "MPI_Gather",
    Volume::blocks,
    /*rooted=*/true,
    /*reduces=*/false,
};

} // namespace ictus::operation
