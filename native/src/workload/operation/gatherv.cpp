// MPI_Gatherv: as MPI_Gather, but with a size and displacement for each block at the root; `counts` decides how many
// elements each rank sends.
#include "workload/operation/block_arrays.hpp"
#include "workload/operation/collective.hpp"

ICTUS_FORMS(GathervCalls, MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init);

namespace ictus::operation {
namespace {

class Gatherv : public Collective {
public:
    Gatherv(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     {own_block_of(varied_blocks(site), site), varied_blocks(site),
                      site.rank == site.root ? Arrival::written : Arrival::untouched, site.rank}),
          arrays_(received(), has_large_counts()) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), static_cast<Count>(sent().total()), type(), receive(), arrays_.counts<Count>(),
                    arrays_.displacements<Count>(), type(), root(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override { return BlockSource::rank(block); }

    BlockArrays arrays_;
};

} // namespace

extern constinit const Forms gatherv = forms<Gatherv, GathervCalls>({
    .summary = "the blocks of all ranks, each of its own size, to the root",
    .volume = Volume::blocks,
    .rooted = true,
    .varied = true,
    .in_place = InPlace::sends_at_root,
});

} // namespace ictus::operation
