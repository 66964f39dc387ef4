// `spike`: the last block is as large as all others together, which are equal: half of the volume is one rank's. The
// last, because the first is that of the usual root, which need not be moved. (Of more than 2^16 blocks it is that many
// times one of the others.)
#include "workload/counts/counts.hpp"

#include <algorithm>

namespace ictus {
namespace {

class SpikeCounts final : public CountDistribution {
public:
    [[nodiscard]] std::vector<std::uint32_t> weights(int n_blocks) const override {
        std::vector<std::uint32_t> weights(static_cast<std::size_t>(n_blocks), 1);
        weights.back() = static_cast<std::uint32_t>(std::clamp(n_blocks - 1, 1, 1 << 16));
        return weights;
    }
};

} // namespace

namespace counts {
extern const CountMember spike;
const CountMember spike = {
    {"spike", "half of the volume in the last block, the other blocks equal", "", {}},
    [](const Bound&) -> std::unique_ptr<CountDistribution> { return std::make_unique<SpikeCounts>(); }};
} // namespace counts

} // namespace ictus
