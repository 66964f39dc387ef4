// The coloured tree: on paper for a few sizes, and its promises for many.
#include "check.hpp"
#include "clockmath/rounds.hpp"

using namespace ictus;

TEST(seven_ranks_by_two_are_the_tree_on_paper) {
    // 0 serves 1 (with 2, 3) and 4 (with 5, 6); 1 meets 0 in slot 0, so it serves 2 and 3 in slots 1 and 2.
    using Slots = std::vector<std::optional<Meeting>>;
    CHECK(tree_slots(7, 0, 2) == (Slots{Meeting{1, Role::reference}, Meeting{4, Role::reference}, std::nullopt}));
    CHECK(tree_slots(7, 1, 2) ==
          (Slots{Meeting{0, Role::client}, Meeting{2, Role::reference}, Meeting{3, Role::reference}}));
    CHECK(tree_slots(7, 4, 2) ==
          (Slots{Meeting{5, Role::reference}, Meeting{0, Role::client}, Meeting{6, Role::reference}}));
    CHECK(tree_slots(7, 6, 2) == (Slots{std::nullopt, std::nullopt, Meeting{4, Role::client}}));
}

TEST(both_ranks_of_an_edge_meet_in_the_same_slot) {
    for (int size = 1; size <= 70; ++size) {
        for (const int arity : {1, 2, 3, 5}) {
            int edges = 0;
            for (int rank = 0; rank < size; ++rank) {
                const auto slots = tree_slots(size, rank, arity);
                CHECK_EQ(static_cast<std::size_t>(arity) + 1, slots.size());
                int parents = 0;
                for (std::size_t i = 0; i < slots.size(); ++i) {
                    if (!slots[i]) {
                        continue;
                    }
                    const Role other = slots[i]->role == Role::client ? Role::reference : Role::client;
                    CHECK(tree_slots(size, slots[i]->peer, arity)[i] == (Meeting{rank, other}));
                    parents += slots[i]->role == Role::client ? 1 : 0;
                }
                CHECK_EQ(rank == 0 ? 0 : 1, parents);
                edges += parents;
            }
            CHECK_EQ(size - 1, edges);
        }
    }
}

TEST(the_way_to_the_root_is_short) {
    // A binary tree of 1000 ranks has at most ceil(log2 1000) = 10 levels below the root.
    for (int rank = 1; rank < 1000; ++rank) {
        int steps = 0;
        for (int at = rank; at != 0; ++steps) {
            for (const auto& meeting : tree_slots(1000, at, 2)) {
                if (meeting && meeting->role == Role::client) {
                    CHECK(meeting->peer < at);
                    at = meeting->peer;
                    break;
                }
            }
        }
        CHECK(steps <= 10);
    }
}
