// What the papers' group algorithms cost, and how their errors grow with the ranks. A clock reading takes 20 ns and a
// message 1 us here, so an exchange takes 2.08 us, and sending takes no time.
#include "check.hpp"
#include "group_world.hpp"
#include "powers.hpp"

#include <bit>

using namespace simulation;

namespace {

constexpr double message_s = 1e-6;
constexpr double exchange_s = 2.08e-6;

ictus::SimulatedSettings world(int size) {
    ictus::SimulatedSettings settings;
    settings.size = size;
    settings.seed = 23;
    settings.offset_s = 0.5;
    return settings;
}

// Learning on an edge: 10 points of 20 exchanges by mean-rtt, which begins with 10 warm-ups and 30 round trips.
const std::string fit = "fitpoints=10,exchanges=20,rtt_exchanges=30";
constexpr int edge_exchanges = 10 * 20 + 10 + 30;

/// Root mean square over seeds of the error when a rank's model was exact, by the number of edges on its way.
std::vector<double> errors_by_depth(const std::string& algorithm, int n_seeds) {
    constexpr int size = 64;
    std::vector<double> squares(ceil_log2(size) + 1, 0.0);
    std::vector<int> counts(squares.size(), 0);
    auto settings = world(size);
    settings.link.jitter_s = 0.3e-6;
    for (int seed = 1; seed <= n_seeds; ++seed) {
        settings.seed = static_cast<std::uint64_t>(seed);
        GroupWorld group(settings, algorithm);
        for (int rank = 1; rank < size; ++rank) {
            const auto depth = static_cast<std::size_t>(std::popcount(static_cast<unsigned>(rank)));
            squares[depth] += std::pow(group.error_when_exact(rank), 2);
            ++counts[depth];
        }
    }
    for (std::size_t depth = 1; depth < squares.size(); ++depth) {
        squares[depth] = std::sqrt(squares[depth] / counts[depth]);
    }
    return squares;
}

} // namespace

TEST(messages_are_counted_to_the_last) {
    // Two an exchange. skampi's ranks agree that nothing contradicts their bounds, up and down a tree. netgauge's
    // estimator ends with one more; the merging ones send each rank's result up and its merged model down. hca measures
    // p - 1 intercepts against the root, hca2 as many in pairs.
    for (const int size : {1, 2, 3, 5, 6, 7, 8, 64}) {
        const auto edges = static_cast<std::uint64_t>(size - 1);
        CHECK_EQ(edges * (2 * 20 + 2), GroupWorld(world(size), "skampi(exchanges=20)").messages());
        CHECK_EQ(edges * (2 * 20 + 1 + 2), GroupWorld(world(size), "netgauge(patience=20,max=20)").messages());
        CHECK_EQ(edges * 2 * (edge_exchanges + 20), GroupWorld(world(size), "jk(" + fit + ")").messages()); // a warm-up
        const std::uint64_t merged = edges * (2 * (edge_exchanges + 15) + 2);
        CHECK_EQ(merged, GroupWorld(world(size), "hca(" + fit + ",intercept_exchanges=15)").messages());
        CHECK_EQ(merged, GroupWorld(world(size), "hca2(" + fit + ",intercept_exchanges=15)").messages());
    }
}

TEST(skampi_and_jk_take_time_in_proportion_to_the_ranks) {
    // All round trips one after the other. But a client's first ping waits for the root already, and the root goes on
    // while its last pong is under way: each time it comes by that saves at most one exchange.
    for (const int size : {2, 3, 8, 64}) {
        const double edges = size - 1;
        const double once = GroupWorld(world(size), "skampi(exchanges=20)").learnt_at();
        const double agreed = 2 * ceil_log2(size) * message_s;
        CHECK(once <= edges * 20 * exchange_s + agreed + 1e-12 && once >= edges * (20 - 1) * exchange_s);
        const double jk = GroupWorld(world(size), "jk(" + fit + ")").learnt_at();
        CHECK(jk <= edges * (edge_exchanges + 20) * exchange_s + 1e-12);
        CHECK(jk >= edges * (edge_exchanges + 20 - 11) * exchange_s);
    }
}

TEST(netgauge_and_hca2_take_time_in_proportion_to_the_logarithm_of_the_ranks) {
    // ceil(log2 p) rounds of one edge each, all pairs of a round at once; after each the results go up, at the end down
    // in as many messages.
    for (const int size : {2, 3, 8, 13, 64}) {
        const double rounds = ceil_log2(size);
        const double around = (2 * rounds + 1) * 1.1 * message_s;
        const double netgauge = GroupWorld(world(size), "netgauge(patience=20,max=20)").learnt_at();
        CHECK_NEAR(rounds * 20 * exchange_s, netgauge, around);
        const double hca2 = GroupWorld(world(size), "hca2(" + fit + ",intercept_exchanges=15)").learnt_at();
        CHECK_NEAR(rounds * (edge_exchanges + 15) * exchange_s, hca2, around);
        CHECK(size < 8 || hca2 < 0.6 * GroupWorld(world(size), "jk(" + fit + ")").learnt_at());
    }
}

TEST(hca_takes_the_logarithm_for_slopes_and_all_ranks_for_intercepts) {
    // With up to one exchange saved a rank, as above.
    for (const int size : {2, 3, 8, 13, 64}) {
        const double rounds = ceil_log2(size);
        const double edges = size - 1;
        const double around = (2 * rounds + 1) * 1.1 * message_s + edges * exchange_s;
        const double hca = GroupWorld(world(size), "hca(" + fit + ",intercept_exchanges=15)").learnt_at();
        CHECK_NEAR(rounds * edge_exchanges * exchange_s + edges * 15 * exchange_s, hca, around);
    }
}

TEST_IN_MANY_WORLDS(errors_of_summed_offsets_grow_with_the_root_of_the_edges_and_direct_ones_do_not) {
    // The errors of edges are independent and alike: over six of them root 6 = 2.45 times that of one. Of 30 seeds one
    // rank each is six edges away, so its root mean square is unsure by 1 / sqrt(2 30) = 13 % or, as the errors have
    // longer tails than normal ones, half as much again; 50 % permitted. hca measures its intercepts directly, and at
    // that time a wrong slope does no harm yet.
    const std::vector<double> netgauge = errors_by_depth("netgauge(patience=20)", 30);
    const std::vector<double> hca2 =
        errors_by_depth("hca2(fitpoints=5,exchanges=5,rtt_exchanges=10,intercept_exchanges=20)", 30);
    const std::vector<double> hca =
        errors_by_depth("hca(fitpoints=5,exchanges=5,rtt_exchanges=10,intercept_exchanges=20)", 30);
    const double expected = std::sqrt(6.0);
    CHECK(netgauge[6] / netgauge[1] > expected / 1.5 && netgauge[6] / netgauge[1] < expected * 1.5);
    CHECK(hca2[6] / hca2[1] > expected / 1.5);
    CHECK(hca[6] / hca[1] > 1 / 1.5 && hca[6] / hca[1] < 1.5);
}
