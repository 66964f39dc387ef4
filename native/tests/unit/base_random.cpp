#include "base/random.hpp"
#include "check.hpp"

using namespace ictus;

#include <cctype>
#include <fstream>
#include <sstream>

namespace {

/// All whole numbers of a text, in order: enough to read the vectors, whose shape is fixed.
std::vector<std::uint64_t> numbers(const std::string& text) {
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) {
            continue;
        }
        std::size_t length = 0;
        found.push_back(std::stoull(text.substr(i), &length));
        i += length;
    }
    return found;
}

std::string section(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t from = text.find(begin);
    CHECK(from != std::string::npos);
    return text.substr(from + begin.size(), text.find(end, from) - from - begin.size());
}

std::string vectors() {
    std::ifstream file(ICTUS_TEST_DATA "/random_vectors.json");
    std::ostringstream text;
    text << file.rdbuf();
    CHECK(!text.str().empty());
    return text.str();
}

} // namespace

// The file is what the Python side is tested with: one seed, one order, in both languages.
TEST(the_stream_is_that_of_the_shared_vectors) {
    const auto expected = numbers(section(vectors(), "\"splitmix64\"", "}").substr(0));
    SplitMix64 random(expected.at(0));
    CHECK(expected.size() > 10);
    for (std::size_t i = 1; i < expected.size(); ++i) {
        CHECK_EQ(expected[i], random.next());
    }
}

TEST(the_orders_are_those_of_the_shared_vectors) {
    std::string rest = section(vectors(), "\"shuffled\"", "\x01");
    int n_orders = 0;
    for (std::size_t at = rest.find("{\"seed\""); at != std::string::npos; at = rest.find("{\"seed\"", at + 1)) {
        auto order = numbers(rest.substr(at, rest.find('}', at) - at));
        const std::uint64_t seed = order.at(0);
        const std::uint64_t n = order.at(1);
        order.erase(order.begin(), order.begin() + 2);
        CHECK(order == shuffled_order(n, seed));
        ++n_orders;
    }
    CHECK(n_orders >= 5);
}

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
