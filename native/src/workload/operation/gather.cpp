// MPI_Gather: the root ends with the blocks of all ranks, in rank order. Other ranks receive nothing.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(GatherCalls, MPI_Gather, MPI_Igather, MPI_Gather_init);

namespace ictus::operation {
namespace {

class Gather : public Collective {
public:
    Gather(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     {one_block(site), equal_blocks(site),
                      site.rank == site.root ? Arrival::written : Arrival::untouched, site.rank}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), count<Count>(), type(), receive(), count<Count>(), type(), root(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override { return BlockSource::rank(block); }
};

} // namespace

extern constinit const Forms gather = forms<Gather, GatherCalls>({
    .summary = "the blocks of all ranks to the root",
    .volume = Volume::blocks,
    .rooted = true,
    .in_place = InPlace::sends_at_root,
});

} // namespace ictus::operation
