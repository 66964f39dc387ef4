#include "check.hpp"
#include "clockmath/clock_history.hpp"

#include <cmath>
#include <limits>

using namespace ictus;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The model of a clock that is `offset` ahead at local time `at`, taken for free of drift.
ClockModel flat(double offset) { return {0.0, ClockOffset(offset)}; }

/// The global time that belongs to a local one, both in seconds.
double global(const ClockHistory& history, double local) { return history.to_global(LocalTime(local)).s; }

} // namespace

TEST(between_two_synchronisations_a_drift_that_was_not_learnt_is_gone) {
    // The clock gains 1 ms a second: offset(x) = 0.001 x. Measured at 10 s and at 20 s, without a slope.
    ClockHistory history;
    history.add(LocalTime(10.0), flat(0.010), {});
    CHECK_NEAR(15.0 - 0.010, global(history, 15.0), 1e-12); // extrapolated: 5 ms wrong
    history.add(LocalTime(20.0), flat(0.020), {});
    CHECK_NEAR(15.0 - 0.015, global(history, 15.0), 1e-12);
    CHECK_NEAR(25.0 - 0.020, global(history, 25.0), 1e-12);
    CHECK_NEAR(5.0 - 0.005, global(history, 5.0), 1e-12); // before the first: by what is known of the nearest
}

TEST(global_time_has_no_jumps) {
    ClockHistory history;
    for (const double at : {1.0, 2.0, 4.0, 8.0}) {
        history.add(LocalTime(at), {1e-5, ClockOffset(1e-5 * at * std::sin(at))}, {});
    }
    for (const double at : {1.0, 2.0, 4.0, 8.0}) {
        CHECK_NEAR(global(history, at - 1e-9), global(history, at), 2e-9);
    }
}

TEST(a_new_anchor_keeps_the_drift_that_was_learnt) {
    ClockHistory history;
    const ClockModel learned{1e-4, ClockOffset(0.5)};
    history.add(LocalTime(10.0), learned, {.at = LocalTime(10.0), .half_width = 1e-6, .slope = 1e-8});
    history.reanchor(LocalTime(20.0), 3e-6,
                     {.at = LocalTime(20.0), .half_width = 2e-6}); // the model had run ahead by 3 us
    CHECK_NEAR(learned.to_global(LocalTime(20.0)).s - 3e-6, global(history, 20.0), 1e-12);
    CHECK_NEAR(learned.to_global(LocalTime(30.0)).s - 3e-6, global(history, 30.0), 1e-12);
    CHECK_NEAR(2e-6 + 10.0 * 1e-8, history.bound(LocalTime(30.0)), 1e-15);
    history.reanchor(
        LocalTime(30.0), 0.0,
        {.at = LocalTime(30.0),
         .half_width = 1e-6}); // not the interpolated drift of the span before, but the one that was learnt
    CHECK_NEAR(1e-4, history.model().slope, 1e-18);
}

TEST(the_bound_between_two_synchronisations_is_that_of_the_ends) {
    ClockHistory history;
    history.add(LocalTime(0.0), flat(0.0), {.at = LocalTime(0.0), .half_width = 1e-6, .slope = unknown});
    CHECK(std::isnan(history.bound(LocalTime(5.0)))); // of other times nothing is proven yet
    history.add(LocalTime(10.0), flat(0.0), {.at = LocalTime(10.0), .half_width = 3e-6, .slope = unknown});
    CHECK_NEAR(1.0e-6, history.bound(LocalTime(0.0)), 1e-18);
    CHECK_NEAR(2.0e-6, history.bound(LocalTime(5.0)), 1e-18);
    CHECK_NEAR(2.5e-6, history.bound(LocalTime(7.5)), 1e-18);
    CHECK(std::isnan(history.bound(LocalTime(11.0))));
}

TEST(the_bound_covers_the_strongest_permitted_wander) {
    // A drift that grows by all that is permitted between two exact measurements: d(t) = w sqrt(t), so that
    // offset(t) = 2/3 w t^1.5.
    constexpr double w = 1e-6;
    const auto offset = [](double t) { return 2.0 / 3.0 * w * t * std::sqrt(t); };
    ClockHistory history;
    history.add(LocalTime(0.0), flat(0.0), {.at = LocalTime(0.0), .half_width = 0.0, .slope = 0.0, .wander = w});
    for (const double t : {0.5, 1.0, 4.0}) {
        CHECK(std::abs(global(history, t) - (t - offset(t))) <= history.bound(LocalTime(t)) + 1e-18);
    }
    history.add(LocalTime(4.0), flat(offset(4.0)),
                {.at = LocalTime(4.0), .half_width = 0.0, .slope = 0.0, .wander = w});
    double largest = 0.0;
    for (int eighth = 0; eighth <= 32; ++eighth) {
        const double t = eighth / 8.0;
        const double error = std::abs(global(history, t) - (t - offset(t)));
        CHECK(error <= history.bound(LocalTime(t)) + 1e-15);
        largest = std::max(largest, error);
    }
    CHECK(largest > 1e-7); // so something was covered
}

TEST(a_drift_that_changed_before_a_new_anchor_is_covered_after_it) {
    constexpr double w = 1e-6;
    const auto offset = [](double t) { return 2.0 / 3.0 * w * t * std::sqrt(t); };
    ClockHistory history; // drift 0 learnt at 0; re-anchored at 4
    history.add(LocalTime(0.0), flat(0.0), {.at = LocalTime(0.0), .half_width = 0.0, .slope = 0.0, .wander = w});
    history.reanchor(LocalTime(4.0), offset(4.0), {.at = LocalTime(4.0), .half_width = 0.0});
    for (const double t : {4.5, 6.0, 16.0}) {
        const double error = std::abs(global(history, t) - (t - offset(t)));
        CHECK(error > 1e-7);
        CHECK(error <= history.bound(LocalTime(t)));
    }
}

TEST(chance_is_carried_over_a_new_anchor) {
    // Two standard deviations of 3 us of offset and, from the learning, of 4e-7 of drift: at 10 s 3 and 4 us.
    ClockHistory history;
    history.add(LocalTime(0.0), flat(0.0),
                {.at = LocalTime(0.0), .half_width = 0.0, .drift_variance = 16e-14, .deviations = 2.0});
    history.reanchor(LocalTime(10.0), 0.0,
                     {.at = LocalTime(10.0), .half_width = 1e-6, .offset_variance = 9e-12, .deviations = 2.0});
    CHECK_NEAR(1e-6 + 2.0 * 3e-6, history.bound(LocalTime(10.0)), 1e-15);
    CHECK_NEAR(1e-6 + 2.0 * 5e-6, history.bound(LocalTime(20.0)), 1e-15);
}
