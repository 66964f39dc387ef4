// A known distortion of a clock: offset, drift and random-walk wander, seeded. Ground truth for every clock algorithm,
// on real clocks (clock/skewed) and in simulated worlds.
#pragma once

#include "core/random.hpp"

#include <vector>

namespace ictus {

class Skew {
public:
    /// offset in seconds, drift a plain ratio above -1, wander the standard deviation of the change of drift over one
    /// second (ratio per root second).
    Skew(double offset, double drift, double wander, std::uint64_t seed);

    /// What the skewed clock shows at true time t >= 0.
    [[nodiscard]] double apply(double t);
    /// The true time at which the skewed clock shows x; 0 if it never shows so little.
    [[nodiscard]] double invert(double x);

private:
    /// The wander is a random walk of the drift in steps of one segment; its time integral is what apply adds.
    struct Segment {
        double begin; ///< accumulated wander at the begin of the segment, seconds
        double rate;  ///< drift by wander inside the segment
    };
    const Segment& segment(std::size_t index);
    [[nodiscard]] double normal();

    double offset_;
    double drift_;
    double wander_;
    SplitMix64 random_;
    std::vector<Segment> segments_;
};

} // namespace ictus
