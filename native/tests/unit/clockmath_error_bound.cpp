// Bounds over time and along a tree, by hand.
#include "check.hpp"
#include "clockmath/error_bound.hpp"

using namespace ictus;

TEST(a_bound_grows_by_slope_wander_and_chance) {
    const ErrorBound bound{.at = LocalTime(10.0),
                           .half_width = 1e-6,
                           .slope = 1e-8,
                           .wander = 3e-9,
                           .offset_variance = 9e-16,
                           .covariance = 0.0,
                           .drift_variance = 1e-18,
                           .deviations = 2.0};
    CHECK_NEAR(1e-6 + 2.0 * 3e-8, bound(LocalTime(10.0)), 1e-15);
    // After 4 s: slope 4e-8; chance 2 sqrt(9e-16 + 16e-18); wander 2/3 * 3e-9 * 8.
    CHECK_NEAR(1e-6 + 4e-8 + 2.0 * std::sqrt(9e-16 + 16e-18) + 1.6e-8, bound(LocalTime(14.0)), 1e-15);
    CHECK_NEAR(bound(LocalTime(14.0)), bound(LocalTime(6.0)), 1e-18);
}

TEST(a_bound_holds_at_its_own_time_whatever_is_known_of_others) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    CHECK_EQ(1e-6, (ErrorBound{.at = LocalTime(3.0), .half_width = 1e-6, .slope = unknown}(LocalTime(3.0))));
    CHECK(std::isnan(ErrorBound{.at = LocalTime(3.0), .half_width = 1e-6, .slope = unknown}(LocalTime(4.0))));
    CHECK_EQ(1e-6, (ErrorBound{.at = LocalTime(3.0), .half_width = 1e-6, .slope = infinite}(LocalTime(3.0))));
}

TEST(an_offset_sags_no_further_than_its_drift_can_change) {
    // A drift that changes at once, half way between two times 4 s apart, by all that is permitted: w sqrt(4).
    constexpr double w = 1e-6;
    CHECK_NEAR(2.0 * w * 1.0, interpolation_bound(w, 4.0, 0.5),
               1e-18); // drift -w, then w: 2 s at w below the line between
    CHECK_EQ(0.0, interpolation_bound(w, 4.0, 0.0));
    CHECK_EQ(0.0, interpolation_bound(w, 4.0, 1.0));
}

TEST(no_clock_has_no_bound) { CHECK(std::isnan(ErrorBound{}(LocalTime(1.0)))); }

TEST(proofs_add_up_and_chances_in_squares) {
    const ErrorBound near{.at = LocalTime(0.0),
                          .half_width = 1.0,
                          .slope = 0.5,
                          .wander = 0.1,
                          .offset_variance = 4.0,
                          .covariance = 1.0,
                          .drift_variance = 2.0,
                          .deviations = 3.0};
    const ErrorBound edge{.at = LocalTime(2.0),
                          .half_width = 0.25,
                          .slope = 0.25,
                          .wander = 0.2,
                          .offset_variance = 1.0,
                          .covariance = 0.0,
                          .drift_variance = 1.0,
                          .deviations = 3.0};
    const ErrorBound sum = add(near, edge);
    CHECK_EQ(2.0, sum.at.s);
    // In the 2 s until the edge's time the reference's drift changes by up to 0.1 sqrt(2).
    CHECK_NEAR(1.0 + (0.5 + 2.0 / 3.0 * 0.1 * std::sqrt(2.0)) * 2.0 + 0.25, sum.half_width, 1e-15);
    CHECK_NEAR(0.75 + 0.1 * std::sqrt(2.0), sum.slope, 1e-15);
    CHECK_EQ(0.2, sum.wander); // that of the two end clocks, not a sum
    CHECK_NEAR(1.0 + 4.0 + 2.0 * 1.0 * 2.0 + 2.0 * 4.0, sum.offset_variance, 1e-15);
    CHECK_NEAR(1.0 + 2.0 * 2.0, sum.covariance, 1e-15);
    CHECK_NEAR(3.0, sum.drift_variance, 1e-15);
}
