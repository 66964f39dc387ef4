// MPI_Reduce_local reduces two messages of this rank into the second, without communication: the arithmetic between the
// messages of a reduction. The second message accumulates over calls and starts as the message of rank + 1.
#include "workload/operation/collective.hpp"

ICTUS_MPI_FUNCTION(ReduceLocalCall, MPI_Reduce_local);

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

} // namespace

extern constinit const OperationMember reduce_local = blocking<ReduceLocal, ReduceLocalCall>({
    .summary = "two messages of a rank reduced into one of them, without communication",
    .volume = Volume::message,
    .reduces = true,
    .since = "2.2",
});

} // namespace ictus::operation
