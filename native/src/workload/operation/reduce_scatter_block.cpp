// MPI_Reduce_scatter_block: rank r ends with block r of the reduction of all ranks' p blocks.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(ReduceScatterBlockCalls, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
            MPI_Reduce_scatter_block_init);

namespace ictus::operation {
namespace {

class ReduceScatterBlock : public Collective {
public:
    ReduceScatterBlock(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = equal_blocks(site), .received = one_block(site)}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), receive(), count<Count>(), type(), reduction(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override {
        return BlockSource::ranks_below(n_ranks(), own_block());
    }
};

} // namespace

extern constinit const Forms reduce_scatter_block = forms<ReduceScatterBlock, ReduceScatterBlockCalls>({
    .summary = "a block of the reduction, all of one size, to every rank",
    .volume = Volume::blocks,
    .reduces = true,
    .since = "2.2",
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
