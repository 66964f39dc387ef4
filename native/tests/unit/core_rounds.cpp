#include "check.hpp"
#include "core/rounds.hpp"

using namespace ictus;

TEST(powers_and_logarithms) {
    const int logs[] = {0, 0, 1, 2, 2, 3, 3, 3, 3, 4};
    const int floors[] = {0, 1, 2, 2, 4, 4, 4, 4, 8, 8};
    for (int n = 1; n < 10; ++n) {
        CHECK_EQ(logs[n], ceil_log2(n));
        CHECK_EQ(floors[n], floor_power_of_two(n));
    }
    CHECK_EQ(30, ceil_log2(1 << 30));
    CHECK_EQ(31, ceil_log2((1 << 30) + 1));
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
