// MPI_Allreduce: every rank ends with the reduction of the messages of all ranks.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(AllreduceCalls, MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init);

namespace ictus::operation {
namespace {

class Allreduce : public Collective {
public:
    Allreduce(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = one_block(site), .received = one_block(site)}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), receive(), count<Count>(), type(), reduction(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::ranks_below(n_ranks()); }
};

} // namespace

extern constinit const Forms allreduce = forms<Allreduce, AllreduceCalls>({
    .summary = "the reduction of all messages to every rank",
    .volume = Volume::message,
    .reduces = true,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
