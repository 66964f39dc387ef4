// Hulls and what they leave to a line, against all pairs and against lines tried one by one.
#include "base/random.hpp"
#include "check.hpp"
#include "clockmath/hull.hpp"

#include <algorithm>
#include <cmath>

using namespace ictus;

namespace {

Point point(double x, double y) { return {LocalTime(x), ClockOffset(y)}; }

/// n points each side of o + d x, at least `gap` and up to `gap + noise` away.
Constraints around(double offset, double drift, int n, double gap, double noise, std::uint64_t seed) {
    SplitMix64 random(seed);
    Constraints points;
    for (int i = 0; i < n; ++i) {
        const double x = i + 0.2 * random.uniform();
        points.floor.push_back(point(x, offset + drift * x - gap - noise * random.uniform()));
        const double later = x + 0.1 + 0.2 * random.uniform();
        points.ceiling.push_back(point(later, offset + drift * later + gap + noise * random.uniform()));
    }
    return points;
}

bool passes(const Constraints& points, double offset, double drift) {
    const auto at = [&](LocalTime x) { return ClockOffset(offset + drift * x.s); };
    return std::all_of(points.floor.begin(), points.floor.end(), [&](Point p) { return at(p.x) >= p.y - 1e-12; }) &&
           std::all_of(points.ceiling.begin(), points.ceiling.end(), [&](Point p) { return at(p.x) <= p.y + 1e-12; });
}

} // namespace

TEST(the_lower_hull_of_a_square_with_a_dent_has_the_outer_corners) {
    const Point points[] = {point(0, 1), point(1, 0), point(2, 0.5), point(3, 0), point(4, 1)};
    const std::vector<Point> expected{point(0, 1), point(1, 0), point(3, 0), point(4, 1)};
    CHECK(lower_hull(points) == expected);
    const std::vector<Point> upper{point(0, 1), point(4, 1)};
    CHECK(upper_hull(points) == upper);
}

TEST(points_of_one_time_count_by_their_extreme) {
    const Point points[] = {point(0, 1), point(0, 3), point(1, 2), point(1, 0)};
    CHECK((lower_hull(points) == std::vector<Point>{point(0, 1), point(1, 0)}));
    CHECK((upper_hull(points) == std::vector<Point>{point(0, 3), point(1, 2)}));
}

TEST(no_point_is_beyond_the_hull) {
    const Constraints points = around(1.0, 0.5, 200, 0.1, 1.0, 3);
    const std::vector<Point> hull = lower_hull(points.ceiling);
    for (const Point& one : points.ceiling) {
        for (std::size_t i = 1; i < hull.size(); ++i) {
            if (hull[i - 1].x <= one.x && one.x <= hull[i].x) {
                const double share = (one.x - hull[i - 1].x) / (hull[i].x - hull[i - 1].x);
                CHECK(one.y >= hull[i - 1].y + share * (hull[i].y - hull[i - 1].y) - 1e-12);
            }
        }
    }
}

TEST(what_is_possible_is_at_most_so_far_from_a_value_and_what_is_impossible_is_undefined) {
    CHECK_EQ(3.0, farthest({1.0, 5.0}, 2.0));
    CHECK_EQ(6.0, farthest({1.0, 5.0}, 7.0)); // outside of it too
    CHECK_EQ(0.0, farthest({2.0, 2.0}, 2.0));
    CHECK(std::isnan(farthest({5.0, 1.0}, 3.0))); // once -2, a bound better than any
}

TEST(the_true_line_is_always_possible) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const Constraints points = around(-2.0, 0.3, 30, 0.2, 1.0, seed);
        const Constraints corners{upper_hull(points.floor), lower_hull(points.ceiling)};
        const Interval<double> drifts = possible_drifts(corners);
        CHECK(drifts.low <= 0.3 && 0.3 <= drifts.high);
        for (const double x : {-5.0, 0.0, 14.7, 29.0, 50.0}) {
            const Interval<ClockOffset> offsets = possible_offsets(corners, LocalTime(x));
            CHECK(offsets.low.s <= -2.0 + 0.3 * x && -2.0 + 0.3 * x <= offsets.high.s);
        }
    }
}

TEST(corners_say_as_much_as_all_points) {
    const Constraints points = around(0.5, -0.2, 60, 0.2, 1.0, 9);
    const Constraints corners{upper_hull(points.floor), lower_hull(points.ceiling)};
    CHECK_NEAR(possible_drifts(points).low, possible_drifts(corners).low, 1e-12);
    CHECK_NEAR(possible_drifts(points).high, possible_drifts(corners).high, 1e-12);
    for (const double x : {-3.0, 20.0, 70.0}) {
        CHECK_NEAR(possible_offsets(points, LocalTime(x)).low.s, possible_offsets(corners, LocalTime(x)).low.s, 1e-9);
        CHECK_NEAR(possible_offsets(points, LocalTime(x)).high.s, possible_offsets(corners, LocalTime(x)).high.s, 1e-9);
    }
}

TEST(the_limits_are_reached_and_not_passed) {
    // Lines tried on a grid: those that pass have values and drifts within the limits, and come close to them.
    const Constraints points = around(0.0, 0.0, 12, 0.3, 0.5, 4);
    const Constraints corners{upper_hull(points.floor), lower_hull(points.ceiling)};
    const double x = 15.0;
    double highest = -1e9;
    double lowest = 1e9;
    double steepest = -1e9;
    for (int i = -400; i <= 400; ++i) {
        const double drift = 0.0005 * i;
        for (int j = -400; j <= 400; ++j) {
            const double offset = 0.005 * j;
            if (passes(points, offset, drift)) {
                highest = std::max(highest, offset + drift * x);
                lowest = std::min(lowest, offset + drift * x);
                steepest = std::max(steepest, drift);
            }
        }
    }
    const Interval<ClockOffset> offsets = possible_offsets(corners, LocalTime(x));
    CHECK(highest <= offsets.high.s + 1e-9 && highest > offsets.high.s - 0.02);
    CHECK(lowest >= offsets.low.s - 1e-9 && lowest < offsets.low.s + 0.02);
    CHECK(steepest <= possible_drifts(corners).high + 1e-9 && steepest > possible_drifts(corners).high - 0.002);
}

TEST(a_line_that_cannot_pass_is_seen) {
    // A floor above the ceiling: no drift is possible. Shows that the limits above can fail.
    const Constraints crossed{{point(0, 2), point(2, 2)}, {point(1, 1)}};
    const Interval<ClockOffset> offsets = possible_offsets(crossed, LocalTime(1.0));
    CHECK(offsets.low > offsets.high);
}
