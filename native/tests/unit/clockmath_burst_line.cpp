// The line through bursts of exchanges, on clocks that go in steps and links whose least delay changes.
#include "clockmath/burst_line.hpp"

#include "check.hpp"
#include "clockmath/linear_fit.hpp"
#include "exchanges.hpp"

using namespace ictus;
using testing::Drawn;

namespace {

struct Errors {
    double bursts = 0.0; ///< root mean square of the drift's error
    double strip = 0.0;
    double stated = 0.0; ///< of the bursts' error over the stated deviation
};

Errors errors_of(const Drawn& drawn, int worlds) {
    Errors errors;
    for (int seed = 1; seed <= worlds; ++seed) {
        const Constraints points = testing::exchanges(drawn, static_cast<std::uint64_t>(seed));
        const OffsetLine strip = strip_line(points, {upper_hull(points.floor), lower_hull(points.ceiling)});
        const OffsetLine bursts = burst_line(points, resolution_of(points));
        const double error = bursts.drift - drawn.drift;
        errors.bursts += error * error / worlds;
        errors.strip += std::pow(strip.drift - drawn.drift, 2) / worlds;
        errors.stated += error * error / bursts.drift_variance / worlds;
    }
    return {std::sqrt(errors.bursts), std::sqrt(errors.strip), std::sqrt(errors.stated)};
}

} // namespace

TEST(the_step_of_a_clock_is_found_from_exchanges) {
    CHECK_NEAR(1e-8, resolution_of(testing::exchanges({.n = 500, .drift = 0.0, .step = 1e-8}, 1)), 1e-13);
    CHECK_NEAR(3e-8, resolution_of(testing::exchanges({.n = 500, .drift = 0.0, .step = 3e-8}, 1)), 1e-13);
    CHECK(resolution_of(testing::exchanges({.n = 500}, 1)) < 1e-10);
    CHECK_EQ(0.0, resolution_of(testing::exchanges({.n = 1}, 1)));
}

TEST(without_delays_the_bursts_are_on_the_line) {
    const Drawn drawn{.n = 200, .offset = -3.0, .drift = 1e-4, .excess = 0.0};
    const OffsetLine line = burst_line(testing::exchanges(drawn, 1), 0.0);
    CHECK_NEAR(drawn.drift, line.drift, 1e-9);
    CHECK_NEAR(drawn.offset + drawn.drift * line.at.s, line.offset.s, 1e-12);
}

TEST_IN_MANY_WORLDS(on_clocks_that_go_in_steps_bursts_err_less_than_the_strip) {
    // The strip rests on the few stamps that were rounded most, the bursts on all that are low.
    const Errors errors = errors_of({.n = 4000, .step = 1e-8}, 60);
    CHECK(errors.bursts < 0.75 * errors.strip);
    CHECK(errors.stated > 0.6 && errors.stated < 1.4);
    const Errors fine = errors_of({.n = 4000}, 60); // where the strip's model holds it is the better one
    CHECK(fine.strip < 0.5 * fine.bursts);
}

TEST_IN_MANY_WORLDS(stated_errors_of_bursts_are_the_errors_made_whatever_the_delays) {
    for (const int shape : {1, 2, 4}) {
        const Errors errors = errors_of({.n = 1000, .shape = shape}, 100);
        CHECK(errors.stated > 0.6 && errors.stated < 1.4);
    }
}

TEST_IN_MANY_WORLDS(noise_that_lasts_longer_than_a_block_is_in_the_stated_error) {
    // A way that takes 20 ns more or less for some hundred exchanges, where a block has 125: as independent bursts they
    // would state less than half of the error.
    const Errors errors = errors_of({.n = 4000, .excess = 1e-7, .step = 1e-8, .lasting = 2e-8, .memory = 0.998}, 100);
    CHECK(errors.stated > 0.6 && errors.stated < 1.6);
}

TEST_IN_MANY_WORLDS(a_level_that_is_off_for_a_while_does_not_turn_the_line) {
    // From 20 % to 40 % of the time one way is 30 ns shorter, and the middle 15 ns off: least squares through the
    // bursts would turn by 12 x 0.2 x 0.2 x 15 ns over the length, some 4,000 x 2.1 us.
    const Drawn drawn{.n = 4000, .excess = 1e-7, .step = 1e-8};
    Drawn disturbed = drawn;
    disturbed.shorter = 3e-8;
    const double least_squares = 12 * 0.2 * 0.2 * 15e-9 / (drawn.n * 2.1e-6);
    CHECK(errors_of(disturbed, 60).bursts < 0.4 * least_squares);
    CHECK(errors_of(drawn, 60).bursts < errors_of(disturbed, 60).bursts); // it is a disturbance
}

TEST_IN_MANY_WORLDS(a_way_that_wanders_alone_is_taken_out_by_its_round_trips) {
    // The ways to the reference take some 30 ns more or less for a thousand exchanges at a time, those back do not: the
    // middle moves by half of what the round trip does. A single round trip spreads by ten times as much and shows
    // nothing of it, the mean of a block does. Least squares through all middles know nothing of it either.
    const Drawn drawn{.n = 40000, .excess = 6e-7, .shape = 8, .lasting = 3e-8, .memory = 0.999};
    double plain = 0.0;
    constexpr int worlds = 30;
    for (int seed = 1; seed <= worlds; ++seed) {
        const Constraints points = testing::exchanges(drawn, static_cast<std::uint64_t>(seed));
        std::vector<double> at;
        std::vector<double> middle;
        for (std::size_t i = 0; i < points.floor.size(); ++i) {
            at.push_back(midpoint(points.floor[i].x, points.ceiling[i].x).s);
            middle.push_back(midpoint(points.floor[i].y, points.ceiling[i].y).s);
        }
        plain += std::pow(fit_line(at, middle).slope - drawn.drift, 2) / worlds;
    }
    const Errors errors = errors_of(drawn, worlds);
    CHECK(errors.bursts < 0.7 * std::sqrt(plain));
    CHECK(errors.stated > 0.5 && errors.stated < 1.5);
}

TEST_IN_MANY_WORLDS(a_link_that_stays_slower_does_not_turn_the_line) {
    // As two cores that move apart: from half of the time on one way takes 100 ns more, and the middle is 50 ns off.
    // Least squares through all bursts would turn by 1.5 times that over the length; blocks of one round trip are flat.
    const Drawn drawn{.n = 4000, .excess = 1e-7, .step = 1e-8, .longer = 1e-7};
    const double least_squares = 1.5 * 50e-9 / (drawn.n * 2.1e-6);
    CHECK(errors_of(drawn, 60).bursts < 0.2 * least_squares);
}
