#include "check.hpp"
#include "core/random.hpp"

using namespace ictus;

// The same vectors are in tests/data/random_vectors.json, which the Python side checks too; tests/native compares both.
TEST(the_stream_of_seed_1234567_is_the_published_one) {
    // From the reference implementation (Vigna 2015): first outputs for seed 1234567.
    SplitMix64 random(1234567);
    for (const std::uint64_t expected : {6457827717110365317ull, 3203168211198807973ull, 9817491932198370423ull,
                                         4593380528125082431ull, 16408922859458223821ull}) {
        CHECK_EQ(expected, random.next());
    }
}

TEST(below_stays_below_and_reaches_every_value) {
    SplitMix64 random(7);
    std::vector<int> seen(5, 0);
    for (int i = 0; i < 1000; ++i) {
        ++seen[random.below(5)];
    }
    for (const int count : seen) {
        CHECK(count > 120); // 200 expected, standard deviation 12.6
    }
    CHECK_EQ(std::uint64_t{0}, random.below(1));
}

TEST(a_shuffle_keeps_every_element) {
    const auto order = shuffled_order(100, 42);
    std::vector<bool> seen(100, false);
    for (const auto i : order) {
        seen[i] = true;
    }
    for (const bool one : seen) {
        CHECK(one);
    }
    CHECK(order != shuffled_order(100, 43));
    CHECK(order == shuffled_order(100, 42));
    CHECK(shuffled_order(0, 1).empty());
}
