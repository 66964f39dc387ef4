// `linear`: every rank notifies rank 0, which then notifies every rank, one after the other. Two messages deep, but
// rank 0 handles all of them: p - 1 in, p - 1 out. The central counter of shared memory (Mellor-Crummey and Scott 1991,
// sec. 3.1) in messages. 2 (p - 1) messages.
#include "barrier/barrier.hpp"

namespace ictus {
namespace {

class LinearBarrier final : public OwnBarrier<LinearBarrier> {
public:
    void wait(Transport& transport) override {
        if (transport.rank() != 0) {
            barrier::send_token(transport, 0);
            barrier::receive_token(transport, 0);
            return;
        }
        for (int rank = 1; rank < transport.size(); ++rank) {
            barrier::receive_token(transport, rank);
        }
        for (int rank = 1; rank < transport.size(); ++rank) {
            barrier::send_token(transport, rank);
        }
    }
};

} // namespace

namespace barrier {
extern const BarrierMember linear;
const BarrierMember linear = {
    {"linear",
     "all ranks notify rank 0, rank 0 notifies all; 2 (p - 1) messages",
     "Mellor-Crummey and Scott 1991, sec. 3.1",
     {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<LinearBarrier>(); }};
} // namespace barrier

} // namespace ictus
