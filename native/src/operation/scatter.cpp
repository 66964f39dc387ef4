// MPI_Scatter: rank r ends with block r of the root. Other ranks send nothing.
#include "operation/collective.hpp"

namespace ictus::operation {
namespace {

class Scatter final : public Collective {
public:
    Scatter(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = site.rank == site.root ? site.n_ranks : 0, .received = 1}) {}

    int call() override { return MPI_Scatter(send(), count(), type(), receive(), count(), type(), root(), comm()); }

private:
    [[nodiscard]] Origin origin(int) const override { return Origin::rank(root(), own_block()); }
};

} // namespace

extern constinit const OperationMember scatter{
    {{"scatter", "a block of its own from the root to every rank", "", {}}, make<Scatter>},
    "MPI_Scatter",
    Volume::blocks,
    /*rooted=*/true,
    /*reduces=*/false,
};

} // namespace ictus::operation
