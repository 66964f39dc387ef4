// SplitMix64 and Fisher-Yates: our own, and the same in Python (ictus.model.random), because the standard libraries'
// streams change between versions and a seed must mean the same order for ever.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ictus {

/// Steele, Lea, Flood 2014. Every 64-bit seed is good; consecutive seeds give unrelated streams.
class SplitMix64 {
public:
    explicit constexpr SplitMix64(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        return mix(state_);
    }

    /// Uniform in 0..n-1 without bias: draws above the largest multiple of n are rejected. n > 0.
    constexpr std::uint64_t below(std::uint64_t n) {
        const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % n + 1) % n;
        std::uint64_t draw = next();
        while (draw > limit) {
            draw = next();
        }
        return draw % n;
    }

    /// Uniform in [0, 1) with 53 bits.
    constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// The finaliser alone: a hash of a counter, for values that must not depend on the order of the calls.
    static constexpr std::uint64_t mix(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

/// 0..n-1 in the order that the seed decides (Fisher-Yates, from the last entry down).
inline std::vector<std::uint64_t> shuffled_order(std::uint64_t n, std::uint64_t seed) {
    std::vector<std::uint64_t> order(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        order[i] = i;
    }
    SplitMix64 random(seed);
    for (std::uint64_t i = n; i-- > 1;) {
        const std::uint64_t j = random.below(i + 1);
        std::swap(order[i], order[j]);
    }
    return order;
}

} // namespace ictus
