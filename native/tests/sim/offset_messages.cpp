// What the offset estimators cost, in messages: the client's part, which decides.
#include "check.hpp"
#include "offset_estimates.hpp"

#include <cmath>
#include <numbers>

using namespace simulation;

namespace {

ictus::SimulatedSettings jittery_world(std::uint64_t seed) {
    ictus::SimulatedSettings settings;
    settings.seed = seed;
    settings.link.jitter_s = 0.3e-6;
    return settings;
}

/// Mean number of exchanges of min-rtt over 400 worlds; the last message of each is `done`.
double mean_exchanges(const std::string& spec) {
    constexpr int n_seeds = 400;
    double sum = 0.0;
    for (std::uint64_t seed = 1; seed <= n_seeds; ++seed) {
        sum += static_cast<double>(estimates(jittery_world(seed), spec, {{1, 0}}).front().messages - 1);
    }
    return sum / n_seeds;
}

/// The expected number of draws until `patience` in a row bring no new minimum. After a minimum at draw j the next one
/// comes at draw m with probability j / ((m - 1) m), for draw i is the least of the first i with probability 1/i; none
/// comes within the patience with probability j / (j + patience). From far down, where `patience` more is certain.
double expected_exchanges(int patience) {
    constexpr int far = 3000;
    const auto n = static_cast<std::size_t>(patience);
    std::vector<double> more(far + n + 1, static_cast<double>(patience)); // draws still expected after a minimum at j
    for (std::size_t j = far; j-- > 1;) {
        const auto at = static_cast<double>(j);
        more[j] = static_cast<double>(n) * at / (at + static_cast<double>(n));
        for (std::size_t m = j + 1; m <= j + n; ++m) {
            const auto draw = static_cast<double>(m);
            more[j] += at / ((draw - 1.0) * draw) * (draw - at + more[m]);
        }
    }
    return 1.0 + more[1];
}

} // namespace

TEST(a_fixed_number_of_exchanges_is_one_message_each) {
    for (const char* spec : {"skampi", "cristian", "quickest-quarter"}) {
        CHECK_EQ(std::uint64_t{100}, estimates(jittery_world(1), spec, {{1, 0}}).front().messages);
        const std::string seven = std::string(spec) + "(exchanges=7)";
        CHECK_EQ(std::uint64_t{7}, estimates(jittery_world(1), seven, {{1, 0}}).front().messages);
    }
}

TEST(one_exchange_is_enough_for_all) {
    for (const char* spec : {"skampi(exchanges=1)", "cristian(exchanges=1)", "quickest-quarter(exchanges=1)",
                             "mean-rtt(exchanges=1,rtt_exchanges=1)", "min-rtt(max=1)"}) {
        const auto found = estimates(jittery_world(3), spec, {{1, 0}, {1, 0}});
        for (const Estimate& estimate : found) {
            CHECK(std::abs(estimate.error) <= estimate.sample.bound + 1e-13);
            CHECK_NEAR(estimate.sample.min_round_trip, 2 * estimate.sample.bound, 4e-6);
        }
    }
}

TEST(mean_rtt_measures_the_round_trip_once_a_pair_and_role) {
    // 10 warm-ups and 100 that count, then 100 a meeting. Rank 1 knows its way to 0, but not to 2, nor does 0 to 1.
    auto settings = jittery_world(1);
    settings.size = 3;
    const std::vector<Pair> pairs{{1, 0}, {1, 0}, {1, 2}, {1, 0}, {0, 1}, {1, 2}, {0, 1}};
    const auto found = estimates(settings, "mean-rtt", pairs);
    const std::vector<std::uint64_t> expected{210, 100, 210, 100, 210, 100, 100};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CHECK_EQ(expected[i], found[i].messages);
    }
}

TEST(min_rtt_needs_e_to_the_gamma_times_its_patience) {
    // About 180 for a patience of 100. The number of one measurement has a standard deviation of about 60 % of its
    // mean, 3 % in the mean of 400.
    const double growth = std::exp(std::numbers::egamma);
    for (const int patience : {1, 10, 100}) {
        const double expected = expected_exchanges(patience);
        CHECK_NEAR(growth * (patience + 0.5), expected, 0.05);
        const double found = mean_exchanges("min-rtt(patience=" + std::to_string(patience) + ")");
        CHECK_NEAR(expected, found, 0.09 * expected);
    }
    CHECK_NEAR(179.0, expected_exchanges(100), 0.05);
}

TEST(min_rtt_ends_at_its_maximum) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto found = estimates(jittery_world(seed), "min-rtt(max=30)", {{1, 0}, {0, 1}});
        CHECK_EQ(std::uint64_t{31}, found[0].messages);
        CHECK_EQ(std::uint64_t{31}, found[1].messages);
    }
}
