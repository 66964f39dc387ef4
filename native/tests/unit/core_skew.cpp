#include "check.hpp"
#include "core/skew.hpp"

using namespace ictus;

TEST(offset_and_drift_are_exact) {
    Skew skew(-2.5, 1e-4, 0.0, 1);
    CHECK_NEAR(-2.5, skew.apply(0.0), 1e-15);
    CHECK_NEAR(100.0 - 2.5 + 0.01, skew.apply(100.0), 1e-12);
}

TEST(inversion_undoes_the_wander) {
    Skew skew(0.75, 3e-5, 1e-5, 9);
    for (const double t : {1e-6, 0.005, 0.01, 0.0151, 1.0, 20.0}) {
        CHECK_NEAR(t, skew.invert(skew.apply(t)), 1e-13 * (1.0 + t));
    }
}

TEST(wander_is_a_continuous_random_walk_of_the_drift) {
    Skew skew(0.0, 0.0, 1e-6, 3);
    double previous = skew.apply(0.0);
    for (int i = 1; i < 5000; ++i) { // no step is longer than its time by more than the drift could be
        const double now = skew.apply(i * 1e-3);
        CHECK(std::abs(now - previous - 1e-3) < 1e-8);
        previous = now;
    }
    CHECK(std::abs(skew.apply(5.0) - 5.0) > 1e-9);
}

TEST(the_drift_after_one_second_spreads_as_its_parameter_says) {
    // Over many seeds the drift after 1 s has standard deviation `wander`; of 400 draws the estimate errs by 3.5 %.
    double squares = 0.0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Skew skew(0.0, 0.0, 1e-6, seed);
        const double drift = (skew.apply(1.0049) - skew.apply(1.0001)) / 0.0048 - 1.0;
        squares += drift * drift;
    }
    CHECK_NEAR(1e-6, std::sqrt(squares / 400), 0.15e-6);
}
