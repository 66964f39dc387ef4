// What exchanges prove about a line: the offset of a clock, o + d x at local time x, lies above some points and below
// others. Only the corners of their hulls matter. Duda et al. 1987; Moon, Skelly, Towsley 1999; Zhang, Liu, Xia 2002.
#pragma once

#include "base/time.hpp"

#include <span>
#include <vector>

namespace ictus {

struct Point {
    LocalTime x{};
    ClockOffset y{};
    friend bool operator==(const Point&, const Point&) = default;
};

/// The corners of the lower hull, left to right, in O(n): no point lies below it. `points` are sorted by x; of equal x
/// the lowest counts.
[[nodiscard]] std::vector<Point> lower_hull(std::span<const Point> points);
/// Likewise the upper hull: no point lies above it.
[[nodiscard]] std::vector<Point> upper_hull(std::span<const Point> points);

/// The line must pass above every point of `floor` and below every point of `ceiling`.
struct Constraints {
    std::vector<Point> floor;
    std::vector<Point> ceiling;
};

/// Of offsets, or of drifts (double).
template <class Value>
struct Interval {
    Value low;
    Value high;
};

/// How far the truth can be from `value`: as far as the farther end of the interval. NaN where the interval is empty: a
/// proof that its own evidence contradicts is no proof.
[[nodiscard]] double farthest(const Interval<ClockOffset>& possible, ClockOffset value);
[[nodiscard]] double farthest(const Interval<double>& possible, double value);

/// The drifts that lines between floor and ceiling can have; infinite where the points do not limit them. The
/// corners of the hulls are enough. Empty (low > high) where no line passes.
[[nodiscard]] Interval<double> possible_drifts(const Constraints& corners);
/// The values that such lines can have at x.
[[nodiscard]] Interval<ClockOffset> possible_offsets(const Constraints& corners, LocalTime x);

} // namespace ictus
