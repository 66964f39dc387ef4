// `binomial`: in round k of the arrival the ranks with bit k as their lowest set bit notify the rank without it;
// the departure runs the same rounds backwards. 2 ceil(log2 p) rounds, of which rank 0 takes part in every one: a
// tournament whose winners are known (Hensgen, Finkel, Manber 1988). 2 (p - 1) messages.
#include "barrier/barrier.hpp"

namespace ictus {
namespace {

class BinomialBarrier final : public OwnBarrier<BinomialBarrier> {
public:
    void wait(Transport& transport) override {
        const int rank = transport.rank();
        const int size = transport.size();
        int bit = 1;
        for (; bit < size && rank % (2 * bit) == 0; bit *= 2) {
            if (rank + bit < size) {
                barrier::receive_token(transport, rank + bit);
            }
        }
        if (rank != 0) { // `bit` is its lowest set bit
            barrier::send_token(transport, rank - bit);
            barrier::receive_token(transport, rank - bit);
        }
        for (bit /= 2; bit >= 1; bit /= 2) {
            if (rank + bit < size) {
                barrier::send_token(transport, rank + bit);
            }
        }
    }
};

} // namespace

namespace barrier {
extern const BarrierMember binomial;
const BarrierMember binomial = {
    {"binomial", "up a binomial tree and down again; 2 (p - 1) messages", "Hensgen, Finkel, Manber 1988", {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<BinomialBarrier>(); }};
} // namespace barrier

} // namespace ictus
