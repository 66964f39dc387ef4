// MPI_Allgather: every rank ends with the blocks of all ranks, in rank order. Each sends one block of n/p.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(AllgatherCalls, MPI_Allgather, MPI_Iallgather, MPI_Allgather_init);

namespace ictus::operation {
namespace {

class Allgather : public Collective {
public:
    Allgather(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = one_block(site), .received = equal_blocks(site), .own_block = site.rank}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), count<Count>(), type(), receive(), count<Count>(), type(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override { return BlockSource::rank(block); }
};

} // namespace

extern constinit const Forms allgather = forms<Allgather, AllgatherCalls>({
    .summary = "the blocks of all ranks to every rank",
    .volume = Volume::blocks,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
