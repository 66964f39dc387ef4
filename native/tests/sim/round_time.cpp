// round-time: what it does with its slice, and how its slack follows the announcements.
#include "check.hpp"
#include "procsync_world.hpp"

using namespace ictus;
using simulation::Case;
using simulation::Outcome;

namespace {

constexpr double us = 1e-6;

} // namespace

TEST(the_slice_is_spent_and_no_more_than_a_call_beyond) {
    // Two ranks, links of 1 us, calls of 20 us, slack 10 us. A round is: 1 us for the root to hear of rank 1, 10 us of
    // slack, the call: 31 us. The first start is at T, and starts go on until T + 1 ms: 1 + floor(1000 / 31) = 33, the
    // last at T + 992 us.
    Case one{.procsync = "round-time(slice=1ms,slack=10us)"};
    one.synchronise = false;
    one.call_s = [](int, std::uint64_t) { return 20 * us; };
    const Outcome outcome = run_case(simulation::exact_ranks(2), one);
    CHECK_EQ(std::size_t{33}, outcome.attempts.size());
    CHECK_EQ(std::uint64_t{33}, outcome.count(0));
    const double first = outcome.attempts.front().start[0];
    CHECK_NEAR(992 * us, outcome.attempts.back().start[0] - first, 1e-9);
    CHECK(outcome.attempts.back().end[1] <= first + 1000 * us + 20 * us + 1e-9);
}

TEST(a_call_longer_than_the_slice_is_made_once) {
    Case one{.procsync = "round-time(slice=1ms)"};
    one.call_s = [](int, std::uint64_t) { return 5e-3; };
    const Outcome outcome = run_case(simulation::skewed_ranks(3), one);
    CHECK_EQ(std::size_t{1}, outcome.attempts.size());
    CHECK_EQ(std::uint64_t{1}, outcome.count(0));
}

TEST(the_number_is_the_slices_and_not_the_repetitions) {
    for (const std::uint64_t wanted : {1, 100000}) {
        Case one{.procsync = "round-time(slice=20ms,slack=10us)", .wanted = wanted};
        one.synchronise = false;
        one.call_s = [](int, std::uint64_t) { return 9 * us; };
        const Outcome outcome = run_case(simulation::exact_ranks(2), one);
        CHECK_EQ(std::size_t{1000}, outcome.attempts.size()); // of 20 us; 9 combinations of 2 us
        CHECK_EQ(std::size_t{100}, outcome.batches[0]);
    }
}

TEST(the_automatic_slack_is_three_announcements) {
    // The announcement reaches rank 1 after 1 us, so that slack is 3 us and a round 1 + 3 + 20 us.
    Case one{.procsync = "round-time(slice=1ms)"};
    one.synchronise = false;
    one.call_s = [](int, std::uint64_t) { return 20 * us; };
    const Outcome outcome = run_case(simulation::exact_ranks(2), one);
    CHECK_NEAR(24 * us, outcome.attempts[1].start[0] - outcome.attempts[0].start[0], 1e-9);
}

TEST(the_slack_follows_the_announcements) {
    // Nothing was measured before the first batch, so that its slack is none and rank 1 is late each time; the second
    // batch knows better.
    Case one{.procsync = "round-time(slice=10ms)"};
    one.prepare = false;
    one.synchronise = false;
    one.call_s = [](int, std::uint64_t) { return 20 * us; };
    const Outcome outcome = run_case(simulation::exact_ranks(2), one);
    CHECK(outcome.attempts.size() > 200);
    CHECK_EQ(std::uint64_t{100}, outcome.count(late_flag));
    CHECK((outcome.attempts[99].flags & late_flag) != 0);
    CHECK_EQ(0, outcome.attempts[100].flags);
}
