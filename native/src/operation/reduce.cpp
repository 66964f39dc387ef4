// MPI_Reduce: the root ends with the reduction of the messages of all ranks. Other ranks receive nothing.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Reduce final : public Collective {
public:
    Reduce(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {1, 1, site.rank == site.root ? Arrival::written : Arrival::untouched}) {}

    int call() override { return MPI_Reduce(send(), receive(), count(), type(), reduction(), root(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::ranks_below(n_ranks()); }
};

} // namespace

extern constinit const OperationMember reduce{
    {{"reduce", "the reduction of all messages to the root", "", {}}, make<Reduce>},
    "MPI_Reduce",
    Volume::message,
    /*rooted=*/true,
    /*reduces=*/true,
};

} // namespace ictus::operation
