// MPI_Bcast: every rank ends with the message of the root. Each rank has one buffer: the root sends it, the others
// receive.
#include "workload/operation/collective.hpp"

ICTUS_FORMS(BcastCalls, MPI_Bcast, MPI_Ibcast, MPI_Bcast_init);

namespace ictus::operation {
namespace {

class Bcast : public Collective {
public:
    Bcast(const OperationMember& member, const CallSite& site)
        : Collective(member, site,
                     site.rank == site.root ? Blocks{.sent = one_block(site)} : Blocks{.received = one_block(site)}) {}

    template <class Count, class Take>
    auto with_arguments(Take take) const {
        return take(buffer(), count<Count>(), type(), root(), comm());
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::rank(root()); }
    [[nodiscard]] std::byte* buffer() const { return rank() == root() ? send() : receive(); }
};

} // namespace

extern constinit const Forms bcast = forms<Bcast, BcastCalls>({
    .summary = "the message of the root to every rank",
    .volume = Volume::message,
    .rooted = true,
});

} // namespace ictus::operation
