// MPI_Allgather: every rank ends with the blocks of all ranks, in rank order. Each sends one block of n/p.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Allgather final : public Collective {
public:
    Allgather(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = 1, .received = site.n_ranks}) {}

    int call() override { return MPI_Allgather(send(), count(), type(), receive(), count(), type(), comm()); }

private:
    [[nodiscard]] Origin origin(int block) const override { return Origin::rank(block); }
};

} // namespace

extern constinit const OperationMember allgather{
    {{"allgather", "the blocks of all ranks to every rank", "", {}}, make<Allgather>},
    "MPI_Allgather",
    Volume::blocks,
    /*rooted=*/false,
    /*reduces=*/false,
};

} // namespace ictus::operation
