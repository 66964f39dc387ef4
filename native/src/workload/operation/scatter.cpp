// MPI_Scatter: rank r ends with block r of the root. Other ranks send nothing.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(ScatterCalls, MPI_Scatter, MPI_Iscatter, MPI_Scatter_init);

namespace ictus::operation {
namespace {

class Scatter : public Collective {
public:
    Scatter(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     {.sent = site.rank == site.root ? equal_blocks(site) : Partition(), .received = one_block(site)}) {
    }

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), count<Count>(), type(), receive(), count<Count>(), type(), root(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::rank(root(), own_block()); }
};

} // namespace

extern constinit const Forms scatter = forms<Scatter, ScatterCalls>({
    .summary = "a block of its own from the root to every rank",
    .volume = Volume::blocks,
    .rooted = true,
    .in_place = InPlace::receives_at_root,
});

} // namespace ictus::operation
