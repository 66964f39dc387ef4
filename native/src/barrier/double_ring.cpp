// `double-ring`: a token goes round the ring 0, 1, ..., p - 1 twice. When it comes back to rank 0 the first time, all
// have entered; the second round announces this. Ranks leave one after the other as the token passes them: the barrier
// with the widest exits. As Open MPI has it (coll tuned, double ring). 2 p messages, none at one rank.
#include "barrier/barrier.hpp"

namespace ictus {
namespace {

class DoubleRingBarrier final : public OwnBarrier<DoubleRingBarrier> {
public:
    void wait(Transport& transport) override {
        const int rank = transport.rank();
        const int size = transport.size();
        if (size == 1) {
            return;
        }
        const int before = (rank - 1 + size) % size;
        const int after = (rank + 1) % size;
        for (int round = 0; round < 2; ++round) {
            if (rank == 0) {
                barrier::send_token(transport, after);
                barrier::receive_token(transport, before);
            } else {
                barrier::receive_token(transport, before);
                barrier::send_token(transport, after);
            }
        }
    }
};

} // namespace

namespace barrier {
extern const BarrierMember double_ring;
const BarrierMember double_ring = {
    {"double-ring", "a token goes round the ring of ranks twice; 2 p messages", "Open MPI, coll tuned", {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<DoubleRingBarrier>(); }};
} // namespace barrier

} // namespace ictus
