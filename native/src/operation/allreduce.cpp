// MPI_Allreduce: every rank ends with the reduction of the messages of all ranks.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Allreduce final : public Collective {
public:
    Allreduce(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = 1, .received = 1}) {}

    int call() override { return MPI_Allreduce(send(), receive(), count(), type(), reduction(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks()); }
};

} // namespace

extern constinit const OperationMember allreduce{
    {{"allreduce", "the reduction of all messages to every rank", "", {}}, make<Allreduce>},
    "MPI_Allreduce",
    Volume::message,
    /*rooted=*/false,
    /*reduces=*/true,
};

} // namespace ictus::operation
