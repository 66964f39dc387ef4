// MPI_Allgatherv: as MPI_Allgather, but with a size and displacement for each block; `counts` decides how many elements
// each rank sends.
#include "workload/operation/block_arrays.hpp"
#include "workload/operation/collective.hpp"

ICTUS_FORMS(AllgathervCalls, MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init);

namespace ictus::operation {
namespace {

class Allgatherv : public Collective {
public:
    Allgatherv(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     {.sent = own_block_of(varied_blocks(site), site),
                      .received = varied_blocks(site),
                      .own_block = site.rank}),
          arrays_(received(), has_large_counts()) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), static_cast<Count>(sent().total()), type(), receive(), arrays_.counts<Count>(),
                    arrays_.displacements<Count>(), type(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override { return BlockSource::rank(block); }

    BlockArrays arrays_;
};

} // namespace

extern constinit const Forms allgatherv = forms<Allgatherv, AllgathervCalls>({
    .summary = "the blocks of all ranks, each of its own size, to every rank",
    .volume = Volume::blocks,
    .varied = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
