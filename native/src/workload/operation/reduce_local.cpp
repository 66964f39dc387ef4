// MPI_Reduce_local: two messages of this rank reduced into the second, without communication: what a reduction computes
// between its messages. The second goes on from its last result in each call; it starts as what rank + 1 would send.
#include "workload/operation/collective.hpp"

namespace ictus::operation {
namespace {

class ReduceLocal : public Collective {
public:
    ReduceLocal(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = one_block(site), .received = one_block(site)}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(send(), receive(), count<Count>(), type(), reduction());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return {rank(), rank() + 2, 0}; }
    [[nodiscard]] std::optional<BlockSource> operand() const override { return BlockSource::rank(rank() + 1); }
};

ICTUS_MPI_FUNCTION(ReduceLocalCall, MPI_Reduce_local);

} // namespace

extern constinit const OperationMember reduce_local = blocking<ReduceLocal, ReduceLocalCall>({
    .summary = "two messages of a rank reduced into one of them, without communication",
    .volume = Volume::message,
    .reduces = true,
    .since = "2.2",
});

} // namespace ictus::operation
