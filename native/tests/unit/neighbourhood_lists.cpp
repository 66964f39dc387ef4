// Neighbourhoods of a torus by their numbers, and the promises of the random graph.
#include "check.hpp"
#include "neighbourhood/neighbourhood.hpp"

#include <algorithm>
#include <set>

using namespace ictus;

namespace {

std::set<GridOffset> distinct(const Neighbourhood& all) { return {all.begin(), all.end()}; }

} // namespace

TEST(two_dimensions_on_paper) {
    CHECK(von_neumann(2, 1) == (Neighbourhood{{-1, 0}, {0, -1}, {0, 1}, {1, 0}}));
    CHECK(moore(2, 1) == (Neighbourhood{{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}}));
    CHECK(moore(1, 2) == (Neighbourhood{{-2}, {-1}, {1}, {2}}));
}

TEST(neighbours_are_as_many_as_the_formulas_say) {
    CHECK_EQ(std::size_t{26}, moore(3, 1).size());
    CHECK_EQ(std::size_t{124}, moore(3, 2).size());
    CHECK_EQ(std::size_t{6}, von_neumann(3, 1).size());
    CHECK_EQ(std::size_t{12}, von_neumann(2, 2).size()); // 2 r (r + 1)
    CHECK_EQ(std::size_t{24}, von_neumann(3, 2).size()); // the octahedral number of 25 without the middle
    for (const Neighbourhood& one : {moore(3, 2), von_neumann(3, 3)}) {
        CHECK_EQ(one.size(), distinct(one).size());
    }
}

TEST(both_ends_of_an_edge_of_the_random_graph_know_of_it) {
    for (int n = 1; n <= 20; ++n) {
        for (const int degree : {1, 3, 30}) {
            for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                std::set<std::pair<int, int>> out;
                std::set<std::pair<int, int>> in;
                for (int rank = 0; rank < n; ++rank) {
                    const GraphNeighbours own = random_graph(n, rank, degree, seed);
                    for (const int to : own.destinations) {
                        CHECK(out.insert({rank, to}).second);
                    }
                    for (const int from : own.sources) {
                        CHECK(in.insert({from, rank}).second);
                    }
                }
                CHECK(out == in);
            }
        }
    }
}

TEST(degrees_of_the_random_graph_end_where_promised_and_reach_down_to_zero) {
    bool asymmetric = false;
    for (int n = 1; n <= 20; ++n) {
        for (const int degree : {1, 3, 30}) {
            std::size_t most_in = 0;
            std::size_t most_out = 0;
            std::size_t fewest_in = 1000;
            std::size_t fewest_out = 1000;
            bool both_most = false;
            const auto largest = static_cast<std::size_t>(graph_degree(n, degree));
            for (int rank = 0; rank < n; ++rank) {
                const GraphNeighbours own = random_graph(n, rank, degree, 7);
                most_in = std::max(most_in, own.sources.size());
                most_out = std::max(most_out, own.destinations.size());
                fewest_in = std::min(fewest_in, own.sources.size());
                fewest_out = std::min(fewest_out, own.destinations.size());
                both_most = both_most || (own.sources.size() == largest && own.destinations.size() == largest);
                asymmetric = asymmetric || own.sources.size() != own.destinations.size();
            }
            CHECK_EQ(largest, most_in);
            CHECK_EQ(largest, most_out);
            CHECK(both_most);
            if (n >= degree + 2) { // a distance that no edge has is left
                CHECK_EQ(std::size_t{0}, fewest_in);
                CHECK_EQ(std::size_t{0}, fewest_out);
            }
        }
    }
    CHECK(asymmetric);
}

TEST(the_seed_decides_the_graph) {
    bool differ = false;
    for (int rank = 0; rank < 8; ++rank) {
        CHECK(random_graph(8, rank, 3, 1).sources == random_graph(8, rank, 3, 1).sources);
        differ = differ || random_graph(8, rank, 3, 1).sources != random_graph(8, rank, 3, 2).sources;
    }
    CHECK(differ);
}
