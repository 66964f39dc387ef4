// `recursive-doubling`: with P the largest power of two not above p, rank r < P exchanges with r XOR 2^k in round k;
// the p - P ranks above first notify rank r - P, and wait for it at the end. log2 P rounds, and two more where p is no
// power of two. The butterfly of Brooks 1986. P log2 P + 2 (p - P) messages.
#include "barrier/barrier.hpp"

#include <bit>

namespace ictus {
namespace {

class RecursiveDoublingBarrier final : public OwnBarrier<RecursiveDoublingBarrier> {
public:
    void wait(Transport& transport) override {
        const int rank = transport.rank();
        const int size = transport.size();
        const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
        if (rank >= power) {
            barrier::send_token(transport, rank - power);
            barrier::receive_token(transport, rank - power);
            return;
        }
        const bool speaks_for_another = rank + power < size;
        if (speaks_for_another) {
            barrier::receive_token(transport, rank + power);
        }
        for (int distance = 1; distance < power; distance *= 2) {
            barrier::exchange_token(transport, rank ^ distance, rank ^ distance);
        }
        if (speaks_for_another) {
            barrier::send_token(transport, rank + power);
        }
    }
};

} // namespace

namespace barrier {
extern const BarrierMember recursive_doubling;
const BarrierMember recursive_doubling = {
    {"recursive-doubling",
     "pairs of ranks 2^k apart exchange in round k; P log2 P + 2 (p - P) messages with P the power of two in p",
     "Brooks 1986",
     {}},
    [](const Bound&) -> std::unique_ptr<Barrier> { return std::make_unique<RecursiveDoublingBarrier>(); }};
} // namespace barrier

} // namespace ictus
