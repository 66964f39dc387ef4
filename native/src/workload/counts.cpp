// The members of family `counts`.
#include "workload/counts.hpp"

#include "base/random.hpp"

#include <algorithm>

namespace ictus {
namespace {

// `equal`: every block the same, as in the operation without counts of its own, with which it can then be compared.
class EqualCounts final : public CountDistribution {
public:
    [[nodiscard]] std::vector<std::uint32_t> weights(int) const override { return {}; }
};

// `linear`: block i is i + 1 times as large as block 0, so that the last is about twice the average. Beyond 2^16 blocks
// neighbours share a weight.
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

// `spike`: the last block is as large as all others together, which are equal: half of the volume is one rank's. The
// last, because the first is that of the usual root, which need not be moved. (Of more than 2^16 blocks it is that many
// times one of the others.)
class SpikeCounts final : public CountDistribution {
public:
    [[nodiscard]] std::vector<std::uint32_t> weights(int n_blocks) const override {
        std::vector<std::uint32_t> weights(static_cast<std::size_t>(n_blocks), 1);
        weights.back() = static_cast<std::uint32_t>(std::clamp(n_blocks - 1, 1, 1 << 16));
        return weights;
    }
};

// `random`: weights drawn uniformly from 1 to 2^16, the same for the same seed and number of blocks.
constexpr Parameter random_counts_parameters[] = {
    {.name = "seed",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "the same seed gives the same sizes",
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
namespace {

const CountMember equal = {
    {"equal", "every block the same", "", {}},
    [](const Bound&) -> std::unique_ptr<CountDistribution> { return std::make_unique<EqualCounts>(); }};

const CountMember linear = {
    {"linear", "growing from block to block, the last about twice the average", "", {}},
    [](const Bound&) -> std::unique_ptr<CountDistribution> { return std::make_unique<LinearCounts>(); }};

const CountMember spike = {
    {"spike", "half of the volume in the last block, the other blocks equal", "", {}},
    [](const Bound&) -> std::unique_ptr<CountDistribution> { return std::make_unique<SpikeCounts>(); }};

const CountMember random = {{"random", "each block's share drawn uniformly", "", random_counts_parameters},
                            [](const Bound& bound) -> std::unique_ptr<CountDistribution> {
                                return std::make_unique<RandomCounts>(bound.count("seed"));
                            }};

} // namespace

const Registry<CountDistribution>& registry() {
    static const Registry<CountDistribution> all{
        "counts", "how the blocks of an operation differ in size", {&equal, &linear, &spike, &random}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace counts

} // namespace ictus
