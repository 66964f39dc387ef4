// `linear`: block i is i + 1 times as large as block 0, so that the last is about twice the average. Beyond 2^16 blocks
// neighbours share a weight.
#include "workload/counts/counts.hpp"

namespace ictus {
namespace {

class LinearCounts final : public CountDistribution {
public:
    [[nodiscard]] std::vector<std::uint32_t> weights(int n_blocks) const override {
        constexpr std::uint64_t largest = 1 << 16;
        const auto n = static_cast<std::uint64_t>(n_blocks);
        std::vector<std::uint32_t> weights;
        for (std::uint64_t i = 1; i <= n; ++i) {
            weights.push_back(static_cast<std::uint32_t>(n <= largest ? i : (i * largest + n - 1) / n));
        }
        return weights;
    }
};

} // namespace

namespace counts {
extern const CountMember linear;
const CountMember linear = {
    {"linear", "growing from block to block, the last about twice the average", "", {}},
    [](const Bound&) -> std::unique_ptr<CountDistribution> { return std::make_unique<LinearCounts>(); }};
} // namespace counts

} // namespace ictus
