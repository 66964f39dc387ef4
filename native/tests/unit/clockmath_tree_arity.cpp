// The arity of a tree, against trees that are walked and costs that are tried one by one.
#include "check.hpp"
#include "clockmath/rounds.hpp"
#include "clockmath/tree_arity.hpp"

using namespace ictus;

namespace {

int steps_to_root(int size, int rank, int arity) {
    int steps = 0;
    for (; rank != 0; ++steps) {
        for (const auto& meeting : tree_slots(size, rank, arity)) {
            if (meeting && meeting->role == Role::client) {
                rank = meeting->peer;
                break;
            }
        }
    }
    return steps;
}

/// Bursts of the rank that has the most of them in a sweep.
int bursts(int size, int arity) {
    int most = 0;
    for (int rank = 0; rank < size; ++rank) {
        int own = 0;
        for (const auto& meeting : tree_slots(size, rank, arity)) {
            own += meeting ? 1 : 0;
        }
        most = std::max(most, own);
    }
    return most;
}

/// 200 sweeps of 10 exchanges over 100 ms: a burst of 27 us has 18 of its kind in the half millisecond of a sweep.
constexpr SweepPlan usual{.exchange_s = 2.7e-6, .sweeps = 200, .exchanges = 10, .span_s = 0.1};

} // namespace

TEST(the_depth_is_the_longest_way_to_the_root) {
    for (int size = 1; size <= 90; ++size) {
        for (const int arity : {1, 2, 3, 7, 89}) {
            int longest = 0;
            for (int rank = 0; rank < size; ++rank) {
                longest = std::max(longest, steps_to_root(size, rank, arity));
            }
            CHECK_EQ(longest, tree_depth(size, arity));
        }
    }
    CHECK_EQ(13, tree_depth(16383, 2)); // 1 + 2 + ... + 2^13
    CHECK_EQ(14, tree_depth(16384, 2));
    CHECK_EQ(1, tree_depth(16384, 16383));
}

TEST(sweeps_last_as_long_as_the_busiest_rank_needs_or_as_the_span) {
    // In a tree that is not full no rank may have all the bursts that its arity allows: one less at most.
    constexpr double burst_s = 200 * 10 * 1e-3;
    constexpr SweepPlan back_to_back{.exchange_s = 1e-3, .sweeps = 200, .exchanges = 10, .span_s = 0.0};
    for (const int size : {4, 7, 8, 40}) {
        for (const int arity : {1, 2, 3}) {
            const double duration = back_to_back.duration_s(arity, tree_depth(size, arity));
            const double busiest = bursts(size, arity) * burst_s;
            CHECK(duration >= busiest && duration <= busiest + burst_s);
        }
    }
    CHECK_EQ(bursts(13, 3) * burst_s, back_to_back.duration_s(3, 2)); // 1 + 3 + 9
    CHECK_EQ(bursts(4, 3) * burst_s, back_to_back.duration_s(3, 1));
    CHECK_EQ(0.1, usual.duration_s(17, 2)); // 18 x 27 us = 486 us
    CHECK_NEAR(0.1026, usual.duration_s(18, 2), 1e-12);
}

TEST(no_arity_has_a_smaller_product_of_bound_and_duration) {
    for (const int size : {2, 3, 4, 5, 8, 16, 17, 100, 256, 300}) {
        for (const double exchange_s : {1e-7, 2.7e-6, 5e-5, 1e-3}) {
            for (const double span_s : {0.0, 0.01, 0.1}) {
                const SweepPlan plan{.exchange_s = exchange_s, .sweeps = 200, .exchanges = 10, .span_s = span_s};
                const auto product = [&](int arity) {
                    const int depth = tree_depth(size, arity);
                    return depth * plan.duration_s(arity, depth);
                };
                const int best = best_arity(size, plan);
                for (int arity = 1; arity < size; ++arity) {
                    CHECK(product(best) <= product(arity));
                    CHECK(arity >= best || product(best) < product(arity)); // of equal ones the smallest
                }
            }
        }
    }
}

TEST(usual_sweeps_have_room_for_a_star_of_16_and_for_four_levels_of_16384) {
    CHECK_EQ(15, best_arity(16, usual));
    CHECK_EQ(16, best_arity(256, usual));   // 1 + 16 + 256
    CHECK_EQ(16, best_arity(4096, usual));  // 1 + 16 + 256 + 4,096
    CHECK_EQ(12, best_arity(16384, usual)); // 1 + 12 + ... + 12^4 = 22,621; with 11 they are 16,105
    CHECK_EQ(1, best_arity(2, usual));
    CHECK_EQ(1, best_arity(1, usual));
}
