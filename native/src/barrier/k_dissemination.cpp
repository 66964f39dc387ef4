// `k-dissemination`: dissemination with radix k. In round i every rank notifies the ranks j k^i above it, for j = 1 ..
// k
// - 1, all at once, and waits for those as far below. After round i a rank depends on k^(i+1) - 1 others, so that
// ceil(log_k p) rounds suffice; a message that would go all the way round is left out. k = 2 is `dissemination`. As in
// MPICH (its k_dissemination). p times the sum over rounds of min(k - 1, floor((p - 1) / k^i)) messages.
#include "barrier/barrier.hpp"

#include <algorithm>
#include <vector>

namespace ictus {
namespace {

constexpr int largest_radix = 64;

constexpr Parameter k_dissemination_parameters[] = {
    {.name = "k",
     .type = Parameter::Type::count,
     .default_value = "4",
     .help = "radix: a rank sends k - 1 messages at once in each round",
     .minimum = 2,
     .maximum = largest_radix},
};

class KDisseminationBarrier final : public OwnBarrier<KDisseminationBarrier> {
public:
    explicit KDisseminationBarrier(const Bound& bound)
        : radix_(static_cast<int>(bound.count("k"))), heard_(static_cast<std::size_t>(radix_)) {
        exchanges_.reserve(heard_.size()); // no barrier allocates
    }

    void wait(Transport& transport) override {
        const int rank = transport.rank();
        const int size = transport.size();
        const std::byte token{1};
        for (int shift = 1; shift < size; shift = step(shift, size)) {
            const int n_partners = std::min(radix_ - 1, (size - 1) / shift);
            exchanges_.clear();
            for (int j = 1; j <= n_partners; ++j) {
                const int distance = j * shift; // below size
                exchanges_.push_back({(rank + distance) % size,
                                      {&token, 1},
                                      (rank - distance + size) % size,
                                      {&heard_[static_cast<std::size_t>(j - 1)], 1}});
            }
            transport.exchange_all(exchanges_);
        }
    }

private:
    /// The next power of k, or `size` where that is no smaller: no overflow.
    [[nodiscard]] int step(int shift, int size) const { return shift > size / radix_ ? size : shift * radix_; }

    int radix_;
    std::vector<std::byte> heard_;
    std::vector<MessagePair> exchanges_;
};

} // namespace

namespace barrier {
extern const BarrierMember k_dissemination;
const BarrierMember k_dissemination = {
    {"k-dissemination", "every rank notifies k - 1 others in a round, j k^i above it; ceil(log_k p) rounds",
     "Hensgen, Finkel, Manber 1988, with the radix of MPICH", k_dissemination_parameters},
    [](const Bound& bound) -> std::unique_ptr<Barrier> { return std::make_unique<KDisseminationBarrier>(bound); }};
} // namespace barrier

} // namespace ictus
