#include "check.hpp"
#include "clockmath/skew.hpp"

#include <thread>
#include <vector>

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

TEST(threads_that_draw_the_same_wander_agree) {
    constexpr int n = 5000;
    const Skew alone(0.0, 0.0, 1e-6, 5);
    std::vector<double> expected;
    expected.reserve(n);
    for (int i = 0; i < n; ++i) {
        expected.push_back(alone.apply(0.009 * i));
    }
    const Skew shared(0.0, 0.0, 1e-6, 5);
    std::vector<int> differing(4, 0);
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int k = 0; k < 4; ++k) { // each asks in an order of its own
        threads.emplace_back([&, k] {
            for (int i = 0; i < n; ++i) {
                const int at = i * (2 * k + 1) % n;
                differing[static_cast<std::size_t>(k)] +=
                    shared.apply(0.009 * at) != expected[static_cast<std::size_t>(at)] ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    CHECK(differing == std::vector<int>(4, 0));
    CHECK(shared.knows(44.0) && !shared.knows(1000.0));
}

TEST(a_draw_is_its_owners_and_stays_within_its_limits) {
    static constexpr Parameter parameters[] = {skew_parameter::offset, skew_parameter::drift, skew_parameter::wander,
                                               skew_parameter::seed};
    static constexpr MemberInfo member = {"drawn", "", "", parameters};
    static const FamilyInfo family = {"skew", "", {&member}};
    const Bound bound = bind(family, parse_spec("drawn(offset=2s,drift=50ppm,wander=1ppm,seed=3)"));
    double largest = 0.0;
    for (std::uint64_t owner = 0; owner < 1000; ++owner) {
        const SkewDraw draw = draw_skew(bound, owner);
        CHECK(std::abs(draw.offset_s) <= 2.0 && std::abs(draw.drift) <= 50e-6);
        CHECK_EQ(1e-6, draw.wander);
        CHECK(draw.wander_seed != draw_skew(bound, owner + 1).wander_seed);
        largest = std::max(largest, std::abs(draw.offset_s));
    }
    CHECK(largest > 1.98);
}
