// Who receives which block of whom on grids and graphs: on paper, and from both ends.
#include "check.hpp"
#include "neighbourhood/neighbourhood.hpp"

#include <set>

using namespace ictus;

namespace {

constexpr int nobody = IncomingBlock::nobody;

/// Every block that is sent to somebody arrives once, and nothing else does. `links(rank)` are those of each rank.
template <class LinksOf>
std::set<std::pair<int, int>> arrivals(int n_ranks, LinksOf links) {
    std::set<std::pair<int, int>> seen;
    for (int rank = 0; rank < n_ranks; ++rank) {
        for (const IncomingBlock& one : links(rank).incoming) {
            if (one.rank == nobody) {
                continue;
            }
            CHECK(one.block >= 0 && one.block < links(one.rank).outgoing);
            CHECK(seen.insert({one.rank, one.block}).second);
        }
    }
    return seen;
}

} // namespace

TEST(an_open_grid_on_paper) { // 0 1 2 / 3 4 5
    CHECK((cartesian_links(std::vector{2, 3}, false, 1).incoming ==
           std::vector<IncomingBlock>{{nobody, 0}, {4, 0}, {0, 3}, {2, 2}}));
    CHECK((cartesian_links(std::vector{2, 3}, false, 5).incoming ==
           std::vector<IncomingBlock>{{2, 1}, {nobody, 0}, {4, 3}, {nobody, 0}}));
}

TEST(a_torus_on_paper) {
    CHECK((cartesian_links(std::vector{2, 3}, true, 5).incoming ==
           std::vector<IncomingBlock>{{2, 1}, {2, 0}, {4, 3}, {3, 2}}));
    CHECK((cartesian_links(std::vector{1}, true, 0).incoming == std::vector<IncomingBlock>{{0, 1}, {0, 0}}));
    CHECK((cartesian_links(std::vector{1}, false, 0).incoming == std::vector<IncomingBlock>(2)));
}

TEST(every_block_of_a_torus_arrives_once) {
    for (const auto& lengths : {std::vector{1}, {2}, {7}, {2, 1}, {3, 4}, {2, 2, 2}, {3, 1, 2}}) {
        int n = 1;
        for (const int length : lengths) {
            n *= length;
        }
        const auto links = [&](int rank) { return cartesian_links(lengths, true, rank); };
        CHECK_EQ(static_cast<std::size_t>(n) * 2 * lengths.size(), arrivals(n, links).size());
    }
}

TEST(an_open_grid_lacks_what_would_cross_its_borders) {
    const auto links = [](int rank) { return cartesian_links(std::vector{3, 4}, false, rank); };
    CHECK_EQ(std::size_t{2 * (2 * 4 + 3 * 3)}, arrivals(12, links).size());
}

TEST(every_block_of_the_random_graph_arrives_once) {
    for (int n = 1; n <= 12; ++n) {
        for (const int degree : {1, 3, 12}) {
            std::size_t sent = 0;
            for (int rank = 0; rank < n; ++rank) {
                sent += random_graph(n, rank, degree, 5).destinations.size();
            }
            CHECK_EQ(sent, arrivals(n, [&](int rank) { return graph_links(n, rank, degree, 5); }).size());
        }
    }
}
