// How far found drifts are drawn to zero: the two ends, and the gain in between.
#include "base/random.hpp"
#include "check.hpp"
#include "clockmath/drift_spread.hpp"

#include <algorithm>
#include <numbers>
#include <vector>

using namespace ictus;

namespace {

double normal(SplitMix64& random) {
    return std::sqrt(-2.0 * std::log(1.0 - random.uniform())) * std::cos(2.0 * std::numbers::pi * random.uniform());
}

struct Drawn {
    std::vector<double> truth;
    std::vector<FoundDrift> found;
};

Drawn draw(int n, double spread, double error, std::uint64_t seed) {
    SplitMix64 random(seed);
    Drawn drawn;
    for (int i = 0; i < n; ++i) {
        drawn.truth.push_back(spread * normal(random));
        drawn.found.push_back({drawn.truth.back() + error * normal(random), error});
    }
    return drawn;
}

bool may_all_be_errors(const std::vector<FoundDrift>& found) {
    DriftSums sums;
    for (const FoundDrift& one : found) {
        sums = sums + DriftSums::of(one);
    }
    return sums.may_all_be_errors();
}

double variance(const std::vector<FoundDrift>& found) {
    std::vector<double> suggested;
    for (const FoundDrift& one : found) {
        suggested.push_back(suggested_variance(one));
    }
    return variance_of_drifts(suggested);
}

/// Of drift^2 / (error^2 + variance).
double median_square(const std::vector<FoundDrift>& found, double variance) {
    std::vector<double> squares;
    for (const FoundDrift& one : found) {
        squares.push_back(one.drift * one.drift / (one.error * one.error + variance));
    }
    std::sort(squares.begin(), squares.end());
    return squares[squares.size() / 2];
}

} // namespace

TEST(errors_alone_are_mostly_seen_as_errors) {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        for (const int n : {1, 7, 63}) {
            wrong += may_all_be_errors(draw(n, 0.0, 1.0, seed).found) ? 0 : 1;
        }
    }
    CHECK(wrong <= 6); // 1 % of 600
}

TEST(a_drift_of_five_errors_is_none) {
    CHECK(!may_all_be_errors({{5.0, 1.0}}));
    CHECK(may_all_be_errors({{2.0, 1.0}}));
    CHECK(may_all_be_errors({{0.0, 0.0}}));
}

TEST(the_spread_of_true_drifts_is_found) {
    double sum = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        sum += variance(draw(201, 3.0, 1.0, seed).found) / 40;
    }
    CHECK(sum > 0.7 * 9.0 && sum < 1.6 * 9.0); // the ratio of medians lies between two kinds of errors
}

TEST(exact_drifts_are_left_alone) {
    const std::vector<FoundDrift> exact{{1e-6, 0.0}, {2e-6, 1e-9}};
    CHECK(std::isinf(variance(exact)));
    CHECK_EQ(1e-6, shrunk(exact[0], variance(exact)));
    CHECK_EQ(0.0, shrunk({2.0, 1.0}, 0.0));
    CHECK_EQ(1.0, shrunk({2.0, 1.0}, 1.0));
}

TEST(drawn_drifts_err_less_than_found_ones_and_than_zero) {
    double found = 0.0, drawn = 0.0, zero = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Drawn world = draw(101, 1.0, 1.0, seed);
        const double spread = variance(world.found);
        for (std::size_t i = 0; i < world.truth.size(); ++i) {
            const double t = world.truth[i];
            found += std::pow(world.found[i].drift - t, 2);
            drawn += std::pow(shrunk(world.found[i], spread) - t, 2);
            zero += t * t;
        }
    }
    CHECK(drawn < 0.75 * found && drawn < 0.75 * zero); // 1/2 is the best that there is
}

TEST(the_variance_is_the_one_at_which_the_median_square_is_as_expected) {
    // The definition, solved by halving: the median square falls as the variance grows.
    constexpr double expected = 0.36;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        for (const int n : {1, 2, 3, 8, 101}) {
            auto found = draw(n, seed % 3 == 0 ? 0.3 : 2.0, 1.0, seed).found;
            SplitMix64 random(seed);
            for (FoundDrift& one : found) {
                one.error *= 0.5 + random.uniform();
            }
            if (median_square(found, 0.0) <= expected) {
                CHECK_EQ(0.0, variance(found));
                continue;
            }
            double low = 0.0;
            double high = 1e6;
            for (int i = 0; i < 100; ++i) {
                const double middle = (low + high) / 2;
                (median_square(found, middle) > expected ? low : high) = middle;
            }
            CHECK_NEAR(high, variance(found), 1e-12 * high + 1e-12);
        }
    }
    CHECK_EQ(0.0, variance({}));
}

TEST(a_drift_that_is_no_number_shrinks_nothing) {
    CHECK(std::isinf(variance({{1.0, 1.0}, {std::nan(""), 1.0}, {1.0, 1.0}})));
}
