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

TEST(the_mean_of_two_drifts_is_the_better_known_one_and_what_both_prove_holds) {
    const ProvenDrift learnt{20e-6, 4e-6};
    const ProvenDrift after_seconds = mean_of(learnt, {21e-6, 0.1e-6});
    CHECK_NEAR(21e-6, after_seconds.slope, 1e-9);
    CHECK_NEAR(0.1e-6, after_seconds.width, 1e-9);
    const ProvenDrift after_milliseconds = mean_of(learnt, {-50e-6, 200e-6});
    CHECK_NEAR(20e-6, after_milliseconds.slope, 0.05e-6);
    CHECK_NEAR(4e-6, after_milliseconds.width, 0.05e-6);
    for (const double truth : {-2e-6, 0.0, 1e-6}) { // within both
        const ProvenDrift both = mean_of({0.0, 2e-6}, {1.5e-6, 4e-6});
        CHECK(std::abs(truth - both.slope) <= both.width);
    }
    const ProvenDrift unproven{20e-6, std::nan("")};
    CHECK_NEAR(20e-6, mean_of(unproven, {21e-6, 0.1e-6}).slope, 0.0);
    CHECK_NEAR(20e-6, mean_of({20e-6, 0.0}, {21e-6, 0.0}).slope, 0.0); // one clock: nothing to learn
}

TEST(a_drift_is_not_lost_in_many_short_blocks) {
    // 100 blocks of 5 ms, whose offsets err by 10 ns either way and are proven to 0.5 us.
    const double truth = 20e-6, length = 5e-3, noise = 10e-9;
    ProvenDrift known{20.05e-6, 4e-6};
    for (int block = 0; block < 100; ++block) {
        const double seen = truth + (block % 2 == 0 ? 2 : -2) * noise / length;
        known = mean_of(known, {seen, 1e-6 / length});
    }
    CHECK(std::abs(known.slope - truth) < 0.1e-6);
    CHECK(known.width < 5e-6);
}
