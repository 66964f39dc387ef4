// Every clock synchronisation on real ranks with skewed clocks, judged by the truth.
#include "check.hpp"
#include "core/rounds.hpp"
#include "skewed_world.hpp"

using namespace ictus;

namespace {

// The monotonic clock has a defined frequency: with a calibrated one the ranks' bases would drift apart by themselves.
constexpr const char* drifting = "skewed(base=monotonic,offset=2s,drift=100ppm,seed=5)";
constexpr const char* drift_free = "skewed(base=monotonic,offset=2s,drift=0,seed=6)";

/// What an algorithm itself proves and estimates, over all edges of the tree: each offset is within its bound (half the
/// interval that its exchanges leave), each slope within ten standard errors; reading a clock of 1 ns takes its time.
double permitted(SkewedWorld& world, const Synchronised& own, double seconds) {
    const bool client = world.transport().rank() != 0;
    const double bound = control::largest(world.transport(), client ? own.bound.half_width : 0.0);
    const double slope = control::largest(world.transport(), std::isnan(own.slope_error) ? 0.0 : own.slope_error);
    return bound + (10.0 * slope * seconds + 0.2e-6) * std::max(1, ceil_log2(world.transport().size()));
}

/// Upper limit of the time since any rank learnt its model.
double seconds_since(SkewedWorld& world, LocalTime begin) {
    return control::largest(world.transport(), world.transport().now() - begin);
}

} // namespace

TEST(every_algorithm_finds_offsets_of_seconds) {
    SkewedWorld world(drift_free);
    for (const char* algorithm : {"hca3-offset", "hca3(fitpoints=50,span=20ms,exchanges=20)"}) {
        const LocalTime begin = world.transport().now();
        const Synchronised own = world.synchronise(algorithm);
        const double error = world.largest_error(own.model, 0.0);
        CHECK(error <= permitted(world, own, seconds_since(world, begin)));
        CHECK(error <= 0.01); // whatever the load: the clocks are seconds apart
    }
}

TEST(hca3_follows_a_drift_of_100_ppm) {
    // On idle cores the standard error of the slope is some 1e-8, so that 1 us is permitted where the drift alone would
    // be 100 us.
    SkewedWorld world(drifting);
    const LocalTime begin = world.transport().now();
    const Synchronised own = world.synchronise("hca3(fitpoints=50,span=100ms,exchanges=20)");
    const double error = world.largest_error(own.model, 1.0);
    CHECK(error <= permitted(world, own, 1.0 + seconds_since(world, begin)));
    if (!world.oversubscribed()) {
        CHECK(error <= 50e-6);
    }
}

TEST(without_synchronisation_the_clocks_are_seconds_apart) {
    SkewedWorld world(drift_free); // shows that the errors above are measured
    if (world.transport().size() > 1) {
        CHECK(world.largest_error(world.synchronise("none").model, 0.0) > 0.01);
    }
}

TEST(clocks_that_begin_at_zero_are_synchronised) {
    SkewedWorld world("skewed(base=monotonic,offset=0,drift=0)");
    const Synchronised own = world.synchronise("hca3-offset");
    CHECK(world.largest_error(own.model, 0.0) <= permitted(world, own, 0.0));
}

TEST(the_proven_bound_of_an_offset_holds) {
    SkewedWorld world(drift_free);
    for (int i = 0; i < 20 && world.transport().size() == 2; ++i) {
        const Synchronised own = world.synchronise("hca3-offset");
        const double bound =
            control::largest(world.transport(), world.transport().rank() == 1 ? own.bound.half_width : 0.0);
        CHECK(world.largest_error(own.model, 0.0) <= bound + 2e-9); // two roundings to whole nanoseconds
    }
}
