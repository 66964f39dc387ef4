// MPI_Scan: rank r ends with the reduction of the messages of ranks 0 to r.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Scan final : public Collective {
public:
    Scan(const OperationMember& member, const CallSite& site) : Collective(member, site, {.sent = 1, .received = 1}) {}

    int call() override { return MPI_Scan(send(), receive(), count(), type(), reduction(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(rank() + 1); }
};

} // namespace

extern constinit const OperationMember scan{
    {{"scan", "the reduction of the messages of the ranks up to each rank", "", {}}, make<Scan>},
    "MPI_Scan",
    Volume::message,
    /*rooted=*/false,
    /*reduces=*/true,
};

} // namespace ictus::operation
