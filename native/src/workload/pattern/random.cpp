// `random`: every rank anew in each repetition, uniformly over the size. A hash of seed, repetition and rank: no state,
// so that anyone can tell afterwards who arrived when.
#include "workload/pattern/pattern.hpp"

#include "base/random.hpp"

namespace ictus {
namespace {

constexpr Parameter random_pattern_parameters[] = {
    {.name = "seed",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "the same seed, the same arrivals",
     .maximum = 1e15},
};

class RandomPattern final : public Pattern {
public:
    explicit RandomPattern(std::uint64_t seed) : seed_(seed) {}

    [[nodiscard]] double share(int rank, int, std::uint64_t repetition) const override {
        SplitMix64 draw(SplitMix64::mix(SplitMix64::mix(seed_) + repetition) + static_cast<std::uint64_t>(rank));
        return draw.uniform();
    }

private:
    std::uint64_t seed_;
};

} // namespace

namespace pattern {
extern const PatternMember random;
const PatternMember random = {{"random", "uniformly anywhere, anew in each repetition", "", random_pattern_parameters},
                              [](const Bound& bound, int) -> std::unique_ptr<Pattern> {
                                  return std::make_unique<RandomPattern>(bound.count("seed"));
                              }};
} // namespace pattern

} // namespace ictus
