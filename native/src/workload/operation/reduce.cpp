// MPI_Reduce: the root ends with the reduction of the messages of all ranks. Other ranks receive nothing.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(ReduceCalls, MPI_Reduce, MPI_Ireduce, MPI_Reduce_init);

namespace ictus::operation {
namespace {

class Reduce : public Collective {
public:
    Reduce(const OperationMember& member, const CallSite& site)
        : Collective(
              member, site,
              {one_block(site), one_block(site), site.rank == site.root ? Arrival::written : Arrival::untouched}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), receive(), count<Count>(), type(), reduction(), root(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::ranks_below(n_ranks()); }
};

} // namespace

extern constinit const Forms reduce = forms<Reduce, ReduceCalls>({
    .summary = "the reduction of all messages to the root",
    .volume = Volume::message,
    .rooted = true,
    .reduces = true,
    .in_place = InPlace::sends_at_root,
});

} // namespace ictus::operation
