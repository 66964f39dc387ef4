// MPI_Alltoall: rank r ends with block r of every rank, in rank order.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(AlltoallCalls, MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init);

namespace ictus::operation {
namespace {

class Alltoall : public Collective {
public:
    Alltoall(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = equal_blocks(site), .received = equal_blocks(site)}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), count<Count>(), type(), receive(), count<Count>(), type(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int block) const override { return BlockSource::rank(block, own_block()); }
};

} // namespace

extern constinit const Forms alltoall = forms<Alltoall, AlltoallCalls>({
    .summary = "a block of its own from every rank to every rank",
    .volume = Volume::blocks,
    .in_place = InPlace::every_rank,
});

} // namespace ictus::operation
