// A known distortion of a clock: offset, drift and random-walk wander, seeded. Ground truth for every clock algorithm,
// on real clocks (clock/skewed), in simulated worlds, and under programs of others (shim/skew).
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>

namespace ictus {

class Wander;

/// Copies share their wander. Any number of threads may ask at once.
class Skew {
public:
    /// offset in seconds, drift a plain ratio above -1, wander the standard deviation of the change of drift over one
    /// second (ratio per root second).
    Skew(double offset, double drift, double wander, std::uint64_t seed,
         std::pmr::memory_resource* memory = std::pmr::get_default_resource());

    /// What the skewed clock shows at true time t; it wanders from t = 0 on.
    [[nodiscard]] double apply(double t) const;
    /// The true time at which the skewed clock shows x; 0 if it never shows so little.
    [[nodiscard]] double invert(double x) const;
    /// Whether apply(t) needs no further random numbers, and so neither memory nor its turn.
    [[nodiscard]] bool knows(double t) const noexcept;

private:
    double offset_;
    double drift_;
    std::shared_ptr<Wander> wander_; // none without wander
};

} // namespace ictus
