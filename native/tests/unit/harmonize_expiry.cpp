#include "check.hpp"
#include "harmonize/rules.hpp"

using namespace ictus;

TEST(where_nothing_is_proven_a_clock_lives_for_the_stated_time) {
    CHECK_EQ(8.0, expiry_of({}, LocalTime(7.0), {}).s);
    // An offset alone: proven at its own time, but not after it.
    ErrorBound offset;
    offset.at = LocalTime(7.0);
    offset.half_width = 1e-7;
    offset.slope = std::numeric_limits<double>::quiet_NaN();
    CHECK_EQ(7.5, expiry_of(offset, LocalTime(7.0), {.otherwise_s = 0.5}).s);
}

TEST(a_clock_lives_until_its_bound_has_grown_by_the_allowance) {
    // 0.1 ppm: 1 us in 10 s, 0.25 us in 2.5 s; how wide it is to begin with does not matter.
    for (const double half_width : {0.0, 5e-6}) {
        ErrorBound bound;
        bound.at = LocalTime(3.0);
        bound.half_width = half_width;
        bound.slope = 1e-7;
        CHECK_NEAR(14.0, expiry_of(bound, LocalTime(4.0), {}).s, 1e-4);
        CHECK_NEAR(6.5, expiry_of(bound, LocalTime(4.0), {.allowance_s = 2.5e-7}).s, 1e-4);
    }
}

TEST(wander_alone_ends_a_lifetime_too) {
    // 2/3 w t^1.5 = 1 us with w = 0.01 ppm: t = (1.5e-6 / 1e-8)^(2/3) = 150^(2/3) = 28.231 s.
    ErrorBound bound;
    bound.at = LocalTime(100.0);
    bound.half_width = 1e-8;
    bound.wander = 1e-8;
    CHECK_NEAR(128.231, expiry_of(bound, LocalTime(100.0), {}).s, 1e-3);
}

TEST(a_bound_that_does_not_grow_ends_at_the_longest_lifetime) {
    ErrorBound bound;
    bound.half_width = 2e-8;
    CHECK_EQ(61.0, expiry_of(bound, LocalTime(1.0), {}).s);
    CHECK_EQ(11.0, expiry_of(bound, LocalTime(1.0), {.longest_s = 10.0}).s);
}
