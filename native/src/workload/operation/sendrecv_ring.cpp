// MPI_Sendrecv on a ring: every rank sends to the next rank and receives from the one before; a single rank sends to
// itself. n is the message.
#include "workload/operation/collective.hpp"
#include "workload/operation/form.hpp"

namespace ictus::operation {
namespace {

constexpr int ring_tag = 2;

class SendrecvRing final : public Collective {
public:
    SendrecvRing(const OperationMember& member, const CallSite& site)
        : Collective(member, site, {.sent = one_block(site), .received = one_block(site)}),
          next_((site.rank + 1) % site.n_ranks), before_((site.rank + site.n_ranks - 1) % site.n_ranks) {}

    BoundCall bind() override {
        return BoundCall(MPI_Sendrecv, send(), count<int>(), type(), next_, ring_tag, receive(), count<int>(), type(),
                         before_, ring_tag, comm(), MPI_STATUS_IGNORE);
    }

private:
    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::rank(before_); }

    int next_;
    int before_;
};

} // namespace

extern constinit const OperationMember sendrecv_ring =
    composed<SendrecvRing>("sendrecv_ring", "MPI_Sendrecv",
                           {
                               .summary = "a message from every rank to the next, round the ring",
                               .volume = Volume::message,
                           });

} // namespace ictus::operation
