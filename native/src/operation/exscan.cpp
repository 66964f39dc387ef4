// MPI_Exscan: rank r ends with the reduction of the messages of ranks 0 to r - 1. What rank 0 receives is undefined.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Exscan final : public Collective {
public:
    Exscan(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {1, 1, site.rank == 0 ? Arrival::undefined : Arrival::written}) {}

    int call() override { return MPI_Exscan(send(), receive(), count(), type(), reduction(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(rank()); }
};

} // namespace

extern constinit const OperationMember exscan{
    {{"exscan", "the reduction of the messages of the ranks before each rank", "", {}}, make<Exscan>},
    "MPI_Exscan",
    Volume::message,
    /*rooted=*/false,
    /*reduces=*/true,
};

} // namespace ictus::operation
