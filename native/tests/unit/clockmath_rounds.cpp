#include "check.hpp"
#include "clockmath/rounds.hpp"
#include "powers.hpp"

#include <numeric>

using namespace ictus;

TEST(the_largest_power_of_two_is_at_most_the_number) {
    const int floors[] = {0, 1, 2, 2, 4, 4, 4, 4, 8, 8};
    for (int n = 1; n < 10; ++n) {
        CHECK_EQ(floors[n], floor_power_of_two(n));
    }
}

// What makes the tree from the root right, for every size: both sides of each meeting know of it, everyone but the root
// learns exactly once, and nobody serves before having learnt.
TEST(everyone_learns_once_from_someone_who_already_knows) {
    for (int size = 1; size <= 70; ++size) {
        std::vector<bool> knows(static_cast<std::size_t>(size), false);
        knows[0] = true;
        const std::size_t n_rounds = rounds_from_root(size, 0).size();
        CHECK_EQ(static_cast<std::size_t>(ceil_log2(size)), n_rounds);
        for (std::size_t round = 0; round < n_rounds; ++round) {
            std::vector<int> learners;
            for (int rank = 0; rank < size; ++rank) {
                const auto meeting = rounds_from_root(size, rank)[round];
                if (!meeting) {
                    continue;
                }
                const auto other = rounds_from_root(size, meeting->peer)[round];
                CHECK(other && other->peer == rank && other->role != meeting->role);
                if (meeting->role == Role::reference) {
                    CHECK(knows[static_cast<std::size_t>(rank)]);
                } else {
                    CHECK(!knows[static_cast<std::size_t>(rank)]);
                    learners.push_back(rank);
                }
            }
            for (const int rank : learners) {
                knows[static_cast<std::size_t>(rank)] = true;
            }
        }
        for (const bool one : knows) {
            CHECK(one);
        }
    }
}

TEST(six_ranks_from_the_leaves_up_by_hand) {
    // Pairs 0-1 and 2-3, then 0-2, then the ranks from four on with those four below.
    using Rounds = std::vector<std::optional<Meeting>>;
    constexpr Role serves = Role::reference;
    constexpr Role learns = Role::client;
    CHECK(rounds_to_root(6, 0) == (Rounds{Meeting{1, serves}, Meeting{2, serves}, Meeting{4, serves}}));
    CHECK(rounds_to_root(6, 1) == (Rounds{Meeting{0, learns}, {}, Meeting{5, serves}}));
    CHECK(rounds_to_root(6, 2) == (Rounds{Meeting{3, serves}, Meeting{0, learns}, {}}));
    CHECK(rounds_to_root(6, 3) == (Rounds{Meeting{2, learns}, {}, {}}));
    CHECK(rounds_to_root(6, 4) == (Rounds{{}, {}, Meeting{0, learns}}));
    CHECK(rounds_to_root(6, 5) == (Rounds{{}, {}, Meeting{1, learns}}));
    CHECK(rounds_to_root(1, 0).empty());
}

// What makes merging right, for every size and for those of the papers: both sides of each meeting know of it, everyone
// but the root learns exactly once, and whoever learns among the first 2^k ranks holds by then the ways of all ranks of
// its own tree, as many as its partner holds.
TEST(everyone_learns_once_and_brings_a_complete_tree_along) {
    std::vector<int> sizes{128, 256, 500, 512};
    for (int size = 1; size <= 70; ++size) {
        sizes.push_back(size);
    }
    for (const int size : sizes) {
        const auto n_rounds = static_cast<std::size_t>(ceil_log2(size));
        std::vector<std::vector<std::optional<Meeting>>> rounds;
        for (int rank = 0; rank < size; ++rank) {
            rounds.push_back(rounds_to_root(size, rank));
            CHECK_EQ(n_rounds, rounds.back().size());
        }
        std::vector<int> tree(static_cast<std::size_t>(size), 1);
        std::vector<int> learnt(static_cast<std::size_t>(size), 0);
        for (std::size_t round = 0; round < n_rounds; ++round) {
            for (int rank = 0; rank < size; ++rank) {
                const auto& meeting = rounds[static_cast<std::size_t>(rank)][round];
                if (!meeting) {
                    continue;
                }
                const auto peer = static_cast<std::size_t>(meeting->peer);
                CHECK(rounds[peer][round] && rounds[peer][round]->peer == rank);
                CHECK(rounds[peer][round]->role != meeting->role);
                if (meeting->role == Role::reference) {
                    continue;
                }
                CHECK_EQ(0, learnt[static_cast<std::size_t>(rank)]++);
                if (rank < floor_power_of_two(size)) {
                    CHECK_EQ(tree[peer], tree[static_cast<std::size_t>(rank)]);
                    CHECK_EQ(rank - meeting->peer, tree[peer]);
                    tree[peer] *= 2;
                }
            }
        }
        CHECK_EQ(0, learnt[0]);
        CHECK_EQ(size - 1, std::accumulate(learnt.begin(), learnt.end(), 0));
        CHECK_EQ(floor_power_of_two(size), tree[0]);
    }
}
