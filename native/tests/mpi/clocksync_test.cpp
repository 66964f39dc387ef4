// Every clock synchronisation on real ranks with skewed clocks, judged by the truth.
#include "check.hpp"
#include "core/rounds.hpp"
#include "skewed_world.hpp"

using namespace ictus;

namespace {

// The monotonic clock has a defined frequency: with a calibrated one the ranks' bases would drift apart by themselves.
constexpr const char* drifting = "skewed(base=monotonic,offset=2s,drift=100ppm,seed=5)";
constexpr const char* drift_free = "skewed(base=monotonic,offset=2s,drift=0,seed=6)";

/// A ping-pong cannot be wrong by more than its shortest round trip; edges of the tree add up, and reading a clock of 1
/// ns takes its time.
double permitted(SkewedWorld& world, double round_trip) {
    return (round_trip + 0.2e-6) * std::max(1, ceil_log2(world.transport().size()));
}

} // namespace

TEST(every_algorithm_finds_offsets_of_seconds) {
    SkewedWorld world(drift_free);
    const double round_trip = world.round_trip();
    for (const char* algorithm : {"hca3-offset", "hca3(fitpoints=50,span=20ms,exchanges=20)"}) {
        const Synchronised own = world.synchronise(algorithm);
        CHECK(world.largest_error(own.model, 0.0) <= permitted(world, round_trip));
    }
}

TEST(hca3_follows_a_drift_of_100_ppm) {
    // Offsets are wrong by a round trip at most, so a slope over 100 ms is wrong by two round trips over 100 ms at
    // most, on each edge: after 1 s, 20 round trips. On idle cores that is a few us where the drift alone would be 100
    // us.
    SkewedWorld world(drifting);
    const double round_trip = world.round_trip();
    const Synchronised own = world.synchronise("hca3(fitpoints=50,span=100ms,exchanges=20)");
    CHECK(world.largest_error(own.model, 1.0) <= 21.0 * permitted(world, round_trip));
}

TEST(without_synchronisation_the_clocks_are_seconds_apart) {
    SkewedWorld world(drift_free); // shows that the errors above are measured
    if (world.transport().size() > 1) {
        CHECK(world.largest_error(world.synchronise("none").model, 0.0) > 0.01);
    }
}

TEST(clocks_that_begin_at_zero_are_synchronised) {
    SkewedWorld world("skewed(base=monotonic,offset=0,drift=0)");
    const double round_trip = world.round_trip();
    const Synchronised own = world.synchronise("hca3-offset");
    CHECK(world.largest_error(own.model, 0.0) <= permitted(world, round_trip));
}

TEST(the_proven_bound_of_an_offset_holds) {
    SkewedWorld world(drift_free);
    for (int i = 0; i < 20 && world.transport().size() == 2; ++i) {
        const Synchronised own = world.synchronise("hca3-offset");
        const double bound = control::largest(world.transport(), world.transport().rank() == 1 ? own.bound : 0.0);
        CHECK(world.largest_error(own.model, 0.0) <= bound + 2e-9); // two roundings to whole nanoseconds
    }
}
