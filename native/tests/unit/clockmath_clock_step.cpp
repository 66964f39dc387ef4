// Steps of the time of day, told apart from clocks that drift and from clocks that nobody sets.
#include "clockmath/clock_step.hpp"

#include "check.hpp"

#include <array>

using namespace ictus;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr StepReading before{5 * second, 200, 1'700'000'000 * second, 7};

/// A second later, the time of day and the clock having gone so much too far.
StepReading later(std::int64_t day, std::int64_t clock) {
    return {before.monotonic_ns + second, 200, before.day_ns + second + day, before.clock_ns + second + clock};
}

} // namespace

TEST(a_step_is_what_the_time_of_day_and_the_clock_share) {
    for (const std::int64_t step : std::array{-3600 * second, -second / 1000, second / 1000, 3600 * second}) {
        CHECK_NEAR(static_cast<double>(step) * 1e-9, step_between(before, later(step, step)), 1e-12);
        CHECK_EQ(0.0, step_between(before, later(step, 0))); // the library reads another clock
        CHECK_EQ(0.0, step_between(before, later(0, step))); // a clock that drifts was not set
    }
}

TEST(clocks_that_were_calibrated_apart_are_no_step) {
    CHECK_EQ(0.0, step_between(before, later(0, 0)));
    CHECK_EQ(0.0, step_between(before, later(60'000, 60'000)));
    CHECK(step_between(before, later(80'000, 80'000)) > 0.0);
}
