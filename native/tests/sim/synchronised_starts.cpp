// What all process synchronisations that start at one instant have in common: ranks with skewed clocks truly start
// together, a stall is told, no global time is refused.
#include "check.hpp"
#include "procsync_world.hpp"
#include "synchronisation.hpp"

#include <cmath>

using namespace ictus;
using simulation::Case;
using simulation::Outcome;

namespace {

constexpr const char* synchronised[] = {
    "window(size=50us)",     "window-adaptive(rule=skampi)",     "window-adaptive(rule=nbcbench)",
    "round-time(slice=3ms)", "round-time(slice=3ms,gather=off)", "arrival(size=0,start=window(size=50us))"};

/// The largest true skew of the valid starts.
double largest_skew(const Outcome& outcome) {
    double largest = 0.0;
    for (const simulation::Attempt& one : outcome.attempts) {
        largest = one.flags == 0 ? std::max(largest, one.skew()) : largest;
    }
    return largest;
}

constexpr double clock_error = 0.3e-6; // hca3 with so few points, in this world

} // namespace

TEST(ranks_with_skewed_clocks_start_within_the_clock_error) {
    for (const int size : simulation::sizes) {
        for (const char* const name : synchronised) {
            const Outcome outcome = run_case(simulation::skewed_ranks(size), Case{.procsync = name});
            CHECK(outcome.count(0) >= 40);
            CHECK(largest_skew(outcome) < clock_error);
        }
    }
}

TEST(starts_that_are_not_synchronised_are_found_out) {
    // The check above fails for a barrier, whose exits are messages apart, and for clocks that nobody synchronised.
    const Outcome ring = run_case(simulation::skewed_ranks(5), Case{.procsync = "barrier(double-ring)"});
    CHECK(largest_skew(ring) > 2e-6);
    Case unsynchronised{.procsync = "window(size=50us)"};
    unsynchronised.synchronise = false;
    unsynchronised.wanted = 5;
    CHECK(largest_skew(run_case(simulation::skewed_ranks(2), unsynchronised)) > 1e-3);
}

TEST(all_ranks_make_the_same_number_of_repetitions) {
    for (const char* const name : synchronised) {
        const Outcome outcome = run_case(simulation::skewed_ranks(5), Case{.procsync = name});
        for (const std::uint64_t count : outcome.counts) {
            CHECK_EQ(outcome.attempts.size(), count);
        }
    }
}

TEST(a_stall_of_36_ms_is_counted_late_and_soon_over) {
    // Rank 1 stalls for 36 ms in a call. Windows of 50 us lose what is left of their batch, of 720 windows that pass
    // meanwhile. Where each start is announced when all have come, the stall is in that one call and nowhere else.
    for (const auto& [name, least, most] : {std::tuple{"window(size=50us)", 1, 20},
                                            {"window(size=50us,batch=5)", 1, 5},
                                            {"round-time(slice=80ms)", 0, 0}}) {
        auto settings = simulation::skewed_ranks(3);
        const Case one{.procsync = name, .wanted = 1000};
        const Outcome calm = run_case(settings, one);
        CHECK_EQ(std::uint64_t{0}, calm.count(late_flag));
        settings.stalls = {{1, calm.attempts[202].start[1] + 1e-6, 0.036}};
        const Outcome outcome = run_case(settings, one);
        CHECK(outcome.attempts[202].end[1] - outcome.attempts[202].start[1] > 0.036);
        CHECK(outcome.count(late_flag) >= static_cast<std::uint64_t>(least));
        CHECK(outcome.count(late_flag) <= static_cast<std::uint64_t>(most));
        CHECK(largest_skew(outcome) < clock_error);
    }
}

TEST(a_root_that_does_not_wait_announces_starts_that_are_lost) {
    // The root goes on announcing while rank 1 stalls, until the flags of 100 repetitions are combined.
    const Case one{.procsync = "round-time(slice=80ms,gather=off)"};
    auto settings = simulation::skewed_ranks(3);
    settings.stalls = {{1, run_case(settings, one).attempts[202].start[1] + 1e-6, 0.036}};
    const Outcome outcome = run_case(settings, one);
    CHECK_EQ(std::uint64_t{300 - 203}, outcome.count(late_flag));
}

TEST(a_start_at_an_instant_needs_a_global_time) {
    for (const char* const name : {"window", "window-adaptive", "round-time", "arrival"}) {
        SimulatedWorld world(simulation::skewed_ranks(2));
        CHECK_THROWS(world.run([&](Transport& transport) {
            GlobalClock clock(transport);
            (void)simulation::make_procsync(name, {transport, clock, false});
        }),
                     "clocksync is 'none'");
    }
}
