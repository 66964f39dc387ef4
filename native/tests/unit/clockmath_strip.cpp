// The line through the strip: against brute force, and its stated errors against the errors that it makes.
#include "check.hpp"
#include "clockmath/error_bound.hpp"
#include "clockmath/strip.hpp"
#include "clockmath/strip_fit.hpp"
#include "exchanges.hpp"

#include <algorithm>

using namespace ictus;
using testing::exchanges;

namespace {

struct Errors {
    double drift_rms = 0.0;  ///< in stated standard deviations
    double offset_rms = 0.0; ///< likewise, at the middle
    double largest = 0.0;    ///< of both
};

Errors errors_of(const testing::Drawn& drawn, int worlds) {
    Errors errors;
    for (int seed = 1; seed <= worlds; ++seed) {
        const OffsetLine line = fit_strip(exchanges(drawn, static_cast<std::uint64_t>(seed))).line;
        const double drift = (line.drift - drawn.drift) / std::sqrt(line.drift_variance);
        const double truth = drawn.offset + drawn.drift * line.at.s;
        const double offset = (line.offset.s - truth) / std::sqrt(line.offset_variance);
        errors.drift_rms += drift * drift / worlds;
        errors.offset_rms += offset * offset / worlds;
        errors.largest = std::max({errors.largest, std::abs(drift), std::abs(offset)});
    }
    errors.drift_rms = std::sqrt(errors.drift_rms);
    errors.offset_rms = std::sqrt(errors.offset_rms);
    return errors;
}

} // namespace

TEST(moments_of_exponential_pieces_are_those_of_a_sum_over_small_steps) {
    const ExponentialPiece pieces[] = {{0.5, 1.0, 2.0, 0.0, 1.5, 3.0, -0.5},
                                       {0.5, -1.0, 1e-3, 0.0, 0.2, 3.0, 4.0},
                                       {-1.0, -1.0, endless, -0.7, 2.0, 1.0, 0.3}};
    PieceSums sums;
    double weight = 0.0, position = 0.0, value = 0.0, squares = 0.0, values = 0.0, products = 0.0;
    for (const ExponentialPiece& piece : pieces) {
        sums.add(piece);
        const double length = std::min(piece.length, 30.0);
        constexpr int steps = 400000;
        for (int i = 0; i < steps; ++i) {
            const double u = length * (i + 0.5) / steps;
            const double w = std::exp(piece.log_height - piece.decay * u) * length / steps;
            const double b = piece.begin + piece.direction * u;
            const double v = piece.value + piece.value_slope * piece.direction * u;
            weight += w, position += w * b, value += w * v, squares += w * b * b, values += w * v * v;
            products += w * b * v;
        }
    }
    const PieceMoments moments = sums.moments();
    const double mean = position / weight;
    const double mean_value = value / weight;
    CHECK_NEAR(mean, moments.position, 1e-7);
    CHECK_NEAR(mean_value, moments.value, 1e-7);
    CHECK_NEAR(squares / weight - mean * mean, moments.position_variance, 1e-7);
    CHECK_NEAR(values / weight - mean_value * mean_value, moments.value_variance, 1e-7);
    CHECK_NEAR(products / weight - mean * mean_value, moments.covariance, 1e-7);
}

TEST(without_delays_the_line_is_exact) {
    const Constraints points = exchanges({.n = 50, .offset = -3.0, .drift = 1e-4, .excess = 0.0}, 1);
    const OffsetLine line = fit_strip(points).line;
    CHECK_NEAR(1e-4, line.drift, 1e-9);
    CHECK_NEAR(-3.0, line(LocalTime{}).s, 1e-12);
}

TEST_IN_MANY_WORLDS(stated_errors_are_the_errors_made_where_delays_crowd_at_their_least) {
    // The posterior is right if errors over stated deviations have a root mean square of 1; the density of the edge,
    // told from 24 points, is known to some 20 %, and doubt only widens.
    for (const int n : {40, 200, 1000}) {
        const Errors errors = errors_of({.n = n, .offset = 1.0}, 200);
        CHECK(errors.drift_rms > 0.4 && errors.drift_rms < 1.3);
        CHECK(errors.offset_rms > 0.4 && errors.offset_rms < 1.3);
        CHECK(errors.largest < 8.0); // of 400 errors with tails like Laplace's, one above 8 is expected in 2000 worlds
    }
}

TEST_IN_MANY_WORLDS(the_error_falls_like_the_number_of_exchanges_and_not_like_its_root) {
    // Ten times the exchanges take ten times as long, so the drift's error falls by 100 (1/n over the time), where
    // averaging would give 10^1.5 = 32.
    const auto spread = [](int n) {
        double squares = 0.0;
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            const double error = fit_strip(exchanges({.n = n}, seed)).line.drift - 2e-5;
            squares += error * error;
        }
        return std::sqrt(squares / 100);
    };
    CHECK(spread(200) / spread(2000) > 60.0);
}

TEST(where_delays_do_not_crowd_levels_are_taken_and_the_stated_error_still_holds) {
    // A sum of four exponentials has no density at its least value: the strip alone errs by several of its deviations.
    const Errors chosen = errors_of({.n = 2000, .offset = 1.0, .shape = 4}, 60);
    CHECK(chosen.drift_rms < 1.6);
    double strip = 0.0;
    double fit = 0.0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Constraints points = exchanges({.n = 2000, .shape = 4}, seed);
        const Constraints corners{upper_hull(points.floor), lower_hull(points.ceiling)};
        strip += std::abs(strip_line(points, corners).drift - 2e-5);
        fit += std::abs(fit_strip(points).line.drift - 2e-5);
    }
    CHECK(fit < 0.8 * strip);
}

TEST_IN_MANY_WORLDS(on_clocks_that_go_in_steps_levels_are_taken_and_the_stated_error_still_holds) {
    // Processors count time in steps of 10 ns and less: a stamp more or less turned the strip by a step over its
    // length.
    for (const int n : {300, 1000, 4000}) {
        CHECK(errors_of({.n = n, .offset = 1.0, .step = 1e-8}, 100).drift_rms < 1.3);
    }
    double strip = 0.0;
    double fit = 0.0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Constraints points = exchanges({.n = 4000, .step = 1e-8}, seed);
        const Constraints corners{upper_hull(points.floor), lower_hull(points.ceiling)};
        strip += std::abs(strip_line(points, corners).drift - 2e-5);
        fit += std::abs(fit_strip(points).line.drift - 2e-5);
    }
    CHECK(fit < 0.8 * strip);
}

TEST(what_is_proven_holds_whatever_the_delays) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const int shape = 1 + static_cast<int>(seed % 4);
        const StripFit fit =
            fit_strip(exchanges({.n = 30, .offset = 5.0, .drift = -8e-5, .excess = 1e-5, .shape = shape}, seed));
        for (const double later : {0.0, 1e-3, 1.0, 20.0}) {
            const double error = std::abs(fit.line(fit.end + later).s - (5.0 - 8e-5 * (fit.end.s + later)));
            CHECK(error <= fit.half_width + fit.slope * later + 1e-15);
        }
    }
}

TEST(what_is_proven_holds_while_the_drift_wanders_and_would_not_without_the_allowance) {
    // Up to time T the offset is 2/3 w (T - x)^1.5, after it 0: its drift at T is 0, and changes by w sqrt(t) at most.
    // The exchanges leave next to no room, so that every chord of the curve is far from the tangent at T.
    constexpr double wander = 1e-5;
    constexpr double end = 1.0;
    Constraints points;
    for (int i = 0; i <= 100; ++i) {
        const double x = end * i / 100;
        const double offset = wander_bound(wander, end - x);
        points.floor.push_back({LocalTime(x), ClockOffset(offset - 1e-9)});
        points.ceiling.push_back({LocalTime(x), ClockOffset(offset + 1e-9)});
    }
    const StripFit fit = fit_strip(points, {.wander = wander});
    const StripFit taken_as_constant = fit_strip(points); // no line fits between these exchanges
    CHECK(std::isnan(taken_as_constant.half_width));
    for (const double later : {0.0, 0.1, 1.0}) {
        const double error = std::abs(fit.line(fit.end + later).s);
        CHECK(error <= fit.half_width + fit.slope * later + wander_bound(wander, later) + 1e-15);
        const double mistaken = std::abs(taken_as_constant.line(fit.end + later).s);
        CHECK(!(mistaken <= taken_as_constant.half_width + taken_as_constant.slope * later));
    }
}

TEST(a_proof_of_another_line_fails) {
    const StripFit fit =
        fit_strip(exchanges({.n = 500, .offset = 5.0, .drift = 0.0}, 1)); // shows that the test above can fail
    CHECK(std::abs(fit.line(fit.end).s - (5.0 + 3e-6)) > fit.half_width);
}

TEST(one_exchange_gives_an_offset_and_no_drift) {
    const StripFit fit = fit_strip(exchanges({.n = 1, .offset = 2.0, .drift = 1e-5, .excess = 0.0}, 1));
    CHECK_NEAR(2.0, fit.line(LocalTime{}).s, 1e-10);
    CHECK(std::isinf(fit.line.drift_variance));
}

TEST(a_known_drift_leaves_the_offset_only) {
    const Constraints points = exchanges({.n = 300, .offset = 1.0}, 7);
    const StripFit fit = fit_strip(points, {.drift = 2e-5});
    CHECK_EQ(2e-5, fit.line.drift);
    CHECK_NEAR(1.0 + 2e-5 * fit.line.at.s, fit.line.offset.s, 6.0 * 3e-7 / 300);
}
