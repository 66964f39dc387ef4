#include "base/quantity.hpp"
#include "check.hpp"

#include <limits>

using namespace ictus;

namespace {
std::string sizes(const std::string& text) {
    std::string joined;
    for (const auto size : parse_sizes(text, "size")) {
        joined += std::to_string(size) + " ";
    }
    return joined;
}
} // namespace

TEST(durations_take_units_and_bare_seconds) {
    CHECK_NEAR(1e-4, parse_duration("100us", "x"), 1e-18);
    CHECK_NEAR(1.5e-3, parse_duration("1.5ms", "x"), 1e-17);
    CHECK_NEAR(5e-8, parse_duration("50ns", "x"), 1e-21);
    CHECK_EQ(2.0, parse_duration("2", "x"));
    CHECK_EQ(2.0, parse_duration("2s", "x"));
}

TEST(a_number_must_be_the_whole_text) {
    for (const char* text : {"", "us", "1 us", "1usec", "0x10", "nan", "inf", "1e999", "--1", "1,5"}) {
        CHECK_THROWS(parse_duration(text, "option 'x'"), "option 'x': '" + std::string(text) + "' is not a time");
    }
    for (const char* text : {"", "-1", "1.5", "8k", "18446744073709551616", "18014398509481984Ki", " 8"}) {
        CHECK_THROWS(parse_count(text, "option 'x'"), "is not a whole number");
    }
}

TEST(counts_take_binary_units) {
    CHECK_EQ(std::uint64_t{65536}, parse_count("64Ki", "x"));
    CHECK_EQ(std::uint64_t{1048576}, parse_count("1Mi", "x"));
    CHECK_EQ(std::uint64_t{2147483648}, parse_count("2Gi", "x"));
}

TEST(rates_take_ppm) { CHECK_NEAR(2e-5, parse_rate("20ppm", "x"), 1e-20); }

TEST(size_ranges_include_both_ends) {
    CHECK_EQ(std::string("8 16 32 64 "), sizes("8..64"));
    CHECK_EQ(std::string("8 32 "), sizes("8..64*4"));
    CHECK_EQ(std::string("0 8 100 "), sizes("100,0,8"));
    CHECK_EQ(std::string("8 16 "), sizes("8..16,16,8"));
    CHECK_EQ(std::size_t{21}, parse_sizes("paper", "x").size());
    CHECK_THROWS(sizes("0..8"), "a range");
    CHECK_THROWS(sizes("16..8"), "a range");
    CHECK_THROWS(sizes("8..64*1"), "a range");
    CHECK_THROWS(sizes("8..64*"), "whole number");
    CHECK_THROWS(sizes("8,"), "whole number");
}

TEST(a_range_up_to_the_largest_number_ends) {
    CHECK_EQ(std::size_t{64}, parse_sizes("1..18446744073709551615", "x").size());
}

TEST(durations_are_shown_with_three_digits) {
    CHECK_EQ(std::string("12.3 us"), format_duration(12.345e-6));
    CHECK_EQ(std::string("1.20 ms"), format_duration(1.2e-3));
    CHECK_EQ(std::string("267 ns"), format_duration(267.3e-9));
    CHECK_EQ(std::string("0.50 ns"), format_duration(5e-10));
    CHECK_EQ(std::string("1.00 us"), format_duration(999.96e-9));
    CHECK_EQ(std::string("100 us"), format_duration(99.97e-6));
    CHECK_EQ(std::string("10.0 ms"), format_duration(9.999e-3));
    CHECK_EQ(std::string("NA"), format_duration(std::numeric_limits<double>::quiet_NaN()));
}
