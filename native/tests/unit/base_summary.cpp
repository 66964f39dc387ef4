#include "base/summary.hpp"
#include "check.hpp"

using namespace ictus;

TEST(no_data_is_not_zero) {
    const Summary none = summarise({});
    CHECK_EQ(std::size_t{0}, none.n);
    CHECK(std::isnan(none.mean) && std::isnan(none.min) && std::isnan(none.max) && std::isnan(none.median));
}

TEST(quantiles_interpolate_between_order_statistics) {
    // Type 7 of 1, 2, 3, 4: the quartiles are at positions 0.75 and 2.25, so 1.75 and 3.25.
    const std::vector<double> values{1, 2, 3, 4};
    CHECK_EQ(1.75, quantile(values, 0.25));
    CHECK_EQ(3.25, quantile(values, 0.75));
    CHECK_EQ(2.5, summarise({4, 1, 3, 2}).median);
    CHECK_EQ(2.5, summarise({4, 1, 3, 2}).mean);
    CHECK_EQ(7.0, summarise({7}).median);
}

TEST(a_stall_does_not_become_the_largest_latency) {
    std::vector<double> values(20, 1.0);
    values[3] = 1.2;
    values[7] = 36e3;
    values[1] = 0.9;
    values[2] = 1.1;
    for (int i = 10; i < 20; ++i) {
        values[static_cast<std::size_t>(i)] = 1.05;
    }
    CHECK_EQ(1.2, largest_undisturbed(values)); // Q1 = 1, Q3 = 1.05: the fence is at 1.2
    CHECK_EQ(5.0, largest_undisturbed({5.0}));
}

TEST(not_even_when_two_in_five_values_are_stalls) {
    std::vector<double> values(20, 1.0);
    for (std::size_t i = 0; i < 8; ++i) {
        values[i] = 4000.0 + static_cast<double>(i);
    }
    values[9] = 4.5;
    CHECK_EQ(4.5, largest_undisturbed(values)); // Q3 is 4,003, the median 1: nothing above 5 counts
}

TEST(a_mean_inside_the_fences_leaves_out_both_sides) {
    // Q1 = 5 and Q3 = 7 of 4, 5, 6, 7, 40: fences 2 and 10.
    CHECK_EQ(5.5, mean_inside_fences({40, 5, 7, 4, 6}));
    // Q1 = 2 and Q3 = 4 of -1, 2, 3, 4, 7: both ends lie on the fences, -1 and 7, and stay in.
    CHECK_EQ(3.0, mean_inside_fences({-1, 2, 3, 4, 7}));
    CHECK_EQ(3.0, mean_inside_fences({-1.5, 2, 3, 4, 7.5}));
    CHECK_EQ(2.0, mean_inside_fences({2.0}));
    CHECK_EQ(2.5, mean_inside_fences({2.0, 3.0}));
}
