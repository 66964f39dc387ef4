// The members of family `pattern`.
#include "workload/pattern.hpp"

#include "base/error.hpp"
#include "base/random.hpp"

namespace ictus {
namespace {

// `ascending`: rank 0 first, the last rank last, evenly between.
class AscendingPattern final : public Pattern {
public:
    [[nodiscard]] double share(int rank, int n_ranks, std::uint64_t) const override {
        return n_ranks > 1 ? static_cast<double>(rank) / (n_ranks - 1) : 0.0;
    }
};

// `descending`: the last rank first, rank 0 last, evenly between.
class DescendingPattern final : public Pattern {
public:
    [[nodiscard]] double share(int rank, int n_ranks, std::uint64_t) const override {
        return n_ranks > 1 ? static_cast<double>(n_ranks - 1 - rank) / (n_ranks - 1) : 0.0;
    }
};

// `random`: every rank anew in each repetition, uniformly over the size. A hash of seed, repetition and rank: no state,
// so that all arrivals can be computed afterwards.
constexpr Parameter random_pattern_parameters[] = {
    {.name = "seed",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "the same seed gives the same arrivals",
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

// `one-late`: all but one arrive together; that one arrives when the size has passed.
constexpr Parameter one_late_parameters[] = {
    {.name = "rank", .type = Parameter::Type::count, .default_value = "0", .help = "rank that is late", .maximum = 1e7},
};

class OneLatePattern final : public Pattern {
public:
    OneLatePattern(std::uint64_t late, int n_ranks) : late_(static_cast<int>(late)) {
        if (late_ >= n_ranks) {
            throw usage_error("pattern 'one-late', parameter 'rank': " + std::to_string(late_) +
                              " is not below the number of ranks, " + std::to_string(n_ranks));
        }
    }

    [[nodiscard]] double share(int rank, int, std::uint64_t) const override { return rank == late_ ? 1.0 : 0.0; }

private:
    int late_;
};

} // namespace

namespace pattern {
namespace {

const PatternMember ascending = {
    {"ascending", "rank 0 first, the last rank last", "", {}},
    [](const Bound&, int) -> std::unique_ptr<Pattern> { return std::make_unique<AscendingPattern>(); }};

const PatternMember descending = {
    {"descending", "the last rank first, rank 0 last", "", {}},
    [](const Bound&, int) -> std::unique_ptr<Pattern> { return std::make_unique<DescendingPattern>(); }};

const PatternMember random = {
    {"random", "uniformly distributed, drawn again for each repetition", "", random_pattern_parameters},
    [](const Bound& bound, int) -> std::unique_ptr<Pattern> {
        return std::make_unique<RandomPattern>(bound.count("seed"));
    }};

const PatternMember one_late = {{"one-late", "all together except one, which comes last", "", one_late_parameters},
                                [](const Bound& bound, int n_ranks) -> std::unique_ptr<Pattern> {
                                    return std::make_unique<OneLatePattern>(bound.count("rank"), n_ranks);
                                }};

} // namespace

const Registry<Pattern, int>& registry() {
    static const Registry<Pattern, int> all{"pattern",
                                            "which rank arrives when, if ranks are not to arrive together",
                                            {&ascending, &descending, &random, &one_late}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

} // namespace pattern

} // namespace ictus
