// The layout of derived datatypes: what goes into memory comes out of it, and nothing else is touched.
#include "check.hpp"
#include "workload/operation/shape.hpp"

using ictus::Shape;

namespace {

constexpr std::byte gap{0x5A};

std::vector<std::byte> counted(std::size_t n) {
    std::vector<std::byte> bytes(n);
    for (std::size_t i = 0; i < n; ++i) {
        bytes[i] = static_cast<std::byte>(i + 1);
    }
    return bytes;
}

} // namespace

TEST(a_message_lies_where_the_runs_say) {
    const Shape columns{.runs = {{0, 1}, {3, 1}}, .extent = 6}; // two runs of 1 at a stride of 3
    std::vector<std::byte> memory(2 * 6 * 2, gap);
    const auto message = counted(2 * 2 * 2); // two units of two elements of two bytes
    ictus::lay_out(columns, 2, message, memory);
    const int expected[] = {1, 2, 0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0};
    for (std::size_t i = 0; i < memory.size(); ++i) {
        CHECK_EQ(expected[i] == 0 ? 0x5A : expected[i], std::to_integer<int>(memory[i]));
    }
    CHECK(message == ictus::message_in(columns, 2, memory));
}

TEST(runs_are_read_in_the_order_of_the_datatype) {
    const Shape backwards{.runs = {{2, 1}, {0, 2}}, .extent = 3};
    std::vector<std::byte> memory(3);
    ictus::lay_out(backwards, 1, counted(3), memory);
    CHECK(memory == (std::vector{std::byte{2}, std::byte{3}, std::byte{1}}));
    CHECK(counted(3) == ictus::message_in(backwards, 1, memory));
}

TEST(every_touched_byte_of_a_gap_is_seen_and_no_other_byte) {
    const Shape shape{.runs = {{0, 1}, {2, 2}}, .extent = 5}; // elements 1 and 4 of each unit are gaps
    for (std::size_t at = 0; at < 3 * 5 * 4; ++at) {
        std::vector<std::byte> memory(3 * 5 * 4, gap);
        memory[at] = std::byte{0};
        const std::size_t element = at / 4 % 5;
        const bool is_gap = element == 1 || element == 4;
        const auto found = ictus::touched_gap_in(shape, 4, memory, gap);
        CHECK_EQ(is_gap, found.has_value());
        CHECK_EQ(is_gap ? at : 0, found.value_or(0));
    }
}

TEST(only_elements_in_order_without_gaps_are_dense) {
    CHECK(Shape{}.is_dense());
    CHECK((Shape{.runs = {{0, 4}}, .extent = 4}.is_dense()));
    CHECK((Shape{.runs = {{0, 1}, {1, 2}}, .extent = 3}.is_dense()));
    CHECK((!Shape{.runs = {{0, 1}}, .extent = 2}.is_dense()));
    CHECK((!Shape{.runs = {{1, 1}, {0, 1}}, .extent = 2}.is_dense()));
    CHECK_EQ(std::size_t{3}, (Shape{.runs = {{0, 1}, {2, 2}}, .extent = 5}.n_elements()));
}

TEST(no_unit_has_no_message) {
    CHECK(ictus::message_in(Shape{.runs = {{0, 1}}, .extent = 2}, 8, {}).empty());
    CHECK(!ictus::touched_gap_in(Shape{.runs = {{0, 1}}, .extent = 2}, 8, {}, gap));
}
