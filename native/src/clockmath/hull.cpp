#include "clockmath/hull.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <limits>

namespace ictus {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Whether the way a -> b -> c turns left, that is, b is a corner seen from below.
bool turns_left(const Point& a, const Point& b, const Point& c) {
    return (b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x);
}

Point mirrored(const Point& point) { return {point.x, ClockOffset(-point.y.s)}; }

/// Andrew's monotone chain (1979), one half. `view` is the identity or the mirror.
template <class View>
std::vector<Point> hull(std::span<const Point> points, View view) {
    std::vector<Point> corners;
    for (const Point& point : points) {
        const Point next = view(point);
        if (!corners.empty() && corners.back().x == next.x) {
            if (corners.back().y <= next.y) {
                continue;
            }
            corners.pop_back();
        }
        while (corners.size() >= 2 && !turns_left(corners[corners.size() - 2], corners.back(), next)) {
            corners.pop_back();
        }
        corners.push_back(next);
    }
    for (Point& corner : corners) {
        corner = view(corner);
    }
    return corners;
}

/// A line through (x, h) has a drift d of at least (or at most) steepness * h + base for each point beside x.
struct DriftLimit {
    double steepness;
    double base;
};

/// Below the point (x_p, y_p): h + d (x_p - x) <= y_p. Right of x that is an upper limit of d, left of x a lower one;
/// above it, the other way round.
void add_limit(const Point& point, LocalTime x, bool below, std::vector<DriftLimit>& at_least,
               std::vector<DriftLimit>& at_most) {
    const double distance = point.x - x;
    const DriftLimit limit{-1.0 / distance, point.y.s / distance};
    ((distance > 0.0) == below ? at_most : at_least).push_back(limit);
}

} // namespace

std::vector<Point> lower_hull(std::span<const Point> points) {
    return hull(points, [](const Point& point) { return point; });
}

std::vector<Point> upper_hull(std::span<const Point> points) { return hull(points, mirrored); }

namespace {

template <class Value>
double farthest_end(const Interval<Value>& possible, Value value) {
    if (possible.low > possible.high) {
        return undefined;
    }
    return std::max(possible.high - value, value - possible.low);
}

} // namespace

double farthest(const Interval<ClockOffset>& possible, ClockOffset value) { return farthest_end(possible, value); }
double farthest(const Interval<double>& possible, double value) { return farthest_end(possible, value); }

Interval<double> possible_drifts(const Constraints& corners) {
    Interval<double> drifts{-infinite, infinite};
    for (const Point& floor : corners.floor) {
        for (const Point& ceiling : corners.ceiling) {
            const double slope = (ceiling.y - floor.y) / (ceiling.x - floor.x);
            if (ceiling.x > floor.x) {
                drifts.high = std::min(drifts.high, slope);
            } else if (ceiling.x < floor.x) {
                drifts.low = std::max(drifts.low, slope);
            }
        }
    }
    return drifts;
}

Interval<ClockOffset> possible_offsets(const Constraints& corners, LocalTime x) {
    Interval<ClockOffset> offsets{ClockOffset(-infinite), ClockOffset(infinite)};
    std::vector<DriftLimit> at_least;
    std::vector<DriftLimit> at_most;
    for (const Point& point : corners.ceiling) {
        if (point.x == x) {
            offsets.high = std::min(offsets.high, point.y);
        } else {
            add_limit(point, x, true, at_least, at_most);
        }
    }
    for (const Point& point : corners.floor) {
        if (point.x == x) {
            offsets.low = std::max(offsets.low, point.y);
        } else {
            add_limit(point, x, false, at_least, at_most);
        }
    }
    // A drift exists for h if every lower limit is at most every upper one: a linear condition on h for each pair.
    for (const DriftLimit& least : at_least) {
        for (const DriftLimit& most : at_most) {
            const double steepness = least.steepness - most.steepness;
            const ClockOffset crossing((most.base - least.base) / steepness);
            if (steepness > 0.0) {
                offsets.high = std::min(offsets.high, crossing);
            } else if (steepness < 0.0) {
                offsets.low = std::max(offsets.low, crossing);
            }
        }
    }
    return offsets;
}

} // namespace ictus
