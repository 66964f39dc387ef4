// `random`: weights drawn uniformly from 1 to 2^16, the same for the same seed and number of blocks.
#include "workload/counts/counts.hpp"

#include "base/random.hpp"

namespace ictus {
namespace {

constexpr Parameter random_counts_parameters[] = {
    {.name = "seed",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "the same seed, the same sizes",
     .maximum = 1e15},
};

class RandomCounts final : public CountDistribution {
public:
    explicit RandomCounts(std::uint64_t seed) : seed_(seed) {}

    [[nodiscard]] std::vector<std::uint32_t> weights(int n_blocks) const override {
        SplitMix64 draw(SplitMix64::mix(seed_));
        std::vector<std::uint32_t> weights;
        for (int i = 0; i < n_blocks; ++i) {
            weights.push_back(static_cast<std::uint32_t>(1 + draw.below(1 << 16)));
        }
        return weights;
    }

private:
    std::uint64_t seed_;
};

} // namespace

namespace counts {
extern const CountMember random;
const CountMember random = {{"random", "each block's share drawn uniformly", "", random_counts_parameters},
                            [](const Bound& bound) -> std::unique_ptr<CountDistribution> {
                                return std::make_unique<RandomCounts>(bound.count("seed"));
                            }};
} // namespace counts

} // namespace ictus
