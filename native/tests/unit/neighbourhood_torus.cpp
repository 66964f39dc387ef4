// Grids that close upon themselves, against coordinates by hand, and balanced factorisations against all there are.
#include "check.hpp"
#include "neighbourhood/torus.hpp"

#include <algorithm>
#include <climits>
#include <numeric>

using namespace ictus;

namespace {

std::string text(const std::vector<int>& lengths) {
    std::string all;
    for (const int length : lengths) {
        all += (all.empty() ? "" : "x") + std::to_string(length);
    }
    return all;
}

/// The least spread, and then the least longest side, of all ways to write `rest` as so many factors.
std::pair<int, int> best_by_counting(int rest, int n_factors, std::vector<int> factors = {}) {
    if (n_factors == 1) {
        factors.push_back(rest);
        const auto [least, most] = std::minmax_element(factors.begin(), factors.end());
        return {*most - *least, *most};
    }
    std::pair<int, int> best{INT_MAX, INT_MAX};
    for (int factor = 1; factor <= rest; ++factor) {
        if (rest % factor == 0) {
            factors.push_back(factor);
            best = std::min(best, best_by_counting(rest / factor, n_factors - 1, factors));
            factors.pop_back();
        }
    }
    return best;
}

} // namespace

TEST(grids_are_as_square_as_they_can_be) {
    CHECK_EQ("4x2", text(balanced_lengths(8, 2)));
    CHECK_EQ("2x2x2", text(balanced_lengths(8, 3)));
    CHECK_EQ("7x1x1", text(balanced_lengths(7, 3)));
    CHECK_EQ("36x32", text(balanced_lengths(1152, 2)));
    CHECK_EQ("12", text(balanced_lengths(12, 1)));
    CHECK_EQ("1x1x1", text(balanced_lengths(1, 3)));
}

TEST(no_other_factorisation_is_nearer_to_square) {
    for (int n = 1; n <= 150; ++n) {
        for (int dimensions = 1; dimensions <= 4; ++dimensions) {
            const auto lengths = balanced_lengths(n, dimensions);
            CHECK_EQ(n, std::accumulate(lengths.begin(), lengths.end(), 1, [](int a, int b) { return a * b; }));
            CHECK(std::is_sorted(lengths.rbegin(), lengths.rend()));
            const auto [spread, longest] = best_by_counting(n, dimensions);
            CHECK_EQ(spread, lengths.front() - lengths.back());
            CHECK_EQ(longest, lengths.front());
        }
    }
}

TEST(ranks_grow_fastest_in_the_last_dimension_and_ends_meet) {
    const Torus torus({3, 4}); // 0 1 2 3 / 4 5 6 7 / 8 9 10 11
    CHECK_EQ(6, torus.after(5, GridOffset{0, 1}));
    CHECK_EQ(9, torus.after(5, GridOffset{1, 0}));
    CHECK_EQ(4, torus.after(7, GridOffset{0, 1}));
    CHECK_EQ(11, torus.after(0, GridOffset{-1, -1}));
    CHECK_EQ(0, torus.after(0, GridOffset{-300, 400}));
    CHECK_EQ(5, torus.after(5, GridOffset{2147483646, -2147483647 - 1})); // 3 divides the one, 4 the other
    CHECK_EQ(5, torus.before(9, GridOffset{1, 0}));
}

TEST(the_way_back_undoes_the_way) {
    const Torus torus({2, 3, 5});
    for (int rank = 0; rank < 2 * 3 * 5; ++rank) {
        for (const GridOffset& offset : {GridOffset{1, 1, 1}, GridOffset{-1, 2, -4}, GridOffset{7, -8, 9}}) {
            CHECK_EQ(rank, torus.before(torus.after(rank, offset), offset));
        }
    }
}

TEST(lengths_that_make_no_grid_are_refused) {
    CHECK_THROWS(Torus({4, 0}), "a dimension of length 0; lengths begin at 1");
    CHECK_THROWS(Torus({65536, 65536}), "more places than there can be ranks");
}
