// How far found drifts are drawn to zero: the two ends, and the gain in between.
#include "base/random.hpp"
#include "check.hpp"
#include "clockmath/drift_spread.hpp"

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
    CHECK(!may_all_be_errors(std::vector<FoundDrift>{{5.0, 1.0}}));
    CHECK(may_all_be_errors(std::vector<FoundDrift>{{2.0, 1.0}}));
    CHECK(may_all_be_errors(std::vector<FoundDrift>{{0.0, 0.0}}));
}

TEST(the_spread_of_true_drifts_is_found) {
    double sum = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        sum += variance_of_drifts(draw(201, 3.0, 1.0, seed).found) / 40;
    }
    CHECK(sum > 0.7 * 9.0 && sum < 1.6 * 9.0); // the ratio of medians lies between two kinds of errors
}

TEST(exact_drifts_are_left_alone) {
    const std::vector<FoundDrift> exact{{1e-6, 0.0}, {2e-6, 1e-9}};
    CHECK(std::isinf(variance_of_drifts(exact)));
    CHECK_EQ(1e-6, shrunk(exact[0], variance_of_drifts(exact)));
    CHECK_EQ(0.0, shrunk({2.0, 1.0}, 0.0));
    CHECK_EQ(1.0, shrunk({2.0, 1.0}, 1.0));
}

TEST(drawn_drifts_err_less_than_found_ones_and_than_zero) {
    double found = 0.0, drawn = 0.0, zero = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Drawn world = draw(101, 1.0, 1.0, seed);
        const double variance = variance_of_drifts(world.found);
        for (std::size_t i = 0; i < world.truth.size(); ++i) {
            const double t = world.truth[i];
            found += std::pow(world.found[i].drift - t, 2);
            drawn += std::pow(shrunk(world.found[i], variance) - t, 2);
            zero += t * t;
        }
    }
    CHECK(drawn < 0.75 * found && drawn < 0.75 * zero); // 1/2 is the best that there is
}
