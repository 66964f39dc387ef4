// MPI_Reduce_scatter: rank r ends with block r of the reduction of all ranks' p blocks, each with a size of its own.
#include "workload/operation/block_arrays.hpp"
#include "workload/operation/collective.hpp"

ICTUS_FORMS(ReduceScatterCalls, MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init);

namespace ictus::operation {
namespace {

class ReduceScatter : public Collective {
public:
    ReduceScatter(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = varied_blocks(site), .received = own_block_of(varied_blocks(site), site)}),
          arrays_(sent(), has_large_counts()) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), receive(), arrays_.counts<Count>(), type(), reduction(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override {
        return BlockSource::ranks_below(n_ranks(), sent().first(rank()));
    }

    BlockArrays arrays_;
};

} // namespace

extern constinit const Forms reduce_scatter = forms<ReduceScatter, ReduceScatterCalls>({
    .summary = "a block of the reduction, each of its own size, to every rank",
    .volume = Volume::blocks,
    .reduces = true,
    .varied = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
