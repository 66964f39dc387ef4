// MPI_Scatterv: as MPI_Scatter, but with a size and displacement for each block at the root; `counts` decides how many
// elements each rank receives.
#include "workload/operation/block_arrays.hpp"
#include "workload/operation/collective.hpp"

ICTUS_FORMS(ScattervCalls, MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init);

namespace ictus::operation {
namespace {

class Scatterv : public Collective {
public:
    Scatterv(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     {.sent = site.rank == site.root ? varied_blocks(site) : Partition(),
                      .received = own_block_of(varied_blocks(site), site)}),
          first_(varied_blocks(site).first(site.rank)), arrays_(varied_blocks(site), has_large_counts()) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), arrays_.counts<Count>(), arrays_.displacements<Count>(), type(), receive(),
                    static_cast<Count>(received().total()), type(), root(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::rank(root(), first_); }

    std::size_t first_; ///< the first element in the root's buffer
    BlockArrays arrays_;
};

} // namespace

extern constinit const Forms scatterv = forms<Scatterv, ScattervCalls>({
    .summary = "a block from the root to every rank, each of its own size",
    .volume = Volume::blocks,
    .rooted = true,
    .varied = true,
    .in_place = InPlace::receives_at_root,
});

} // namespace ictus::operation
