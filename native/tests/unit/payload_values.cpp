// What is sent: reproducible from (seed, rank, element) alone, different between ranks, never poison.
#include "check.hpp"
#include "payload_elements.hpp"

#include <algorithm>

using ictus::Arithmetic;
using ictus::BlockSource;
using ictus::Element;
using ictus::Payload;
using payload_test::values_of;

namespace {

using Kind = ictus::ElementKind;

constexpr Element byte{Kind::byte, 1};
constexpr Element tiny{Kind::signed_integer, 1};
constexpr Element elements[] = {
    byte, tiny, {Kind::signed_integer, 4}, {Kind::signed_integer, 8}, {Kind::floating, 4}, {Kind::floating, 8}};

} // namespace

TEST(a_run_of_elements_does_not_depend_on_where_it_begins) {
    for (const auto arithmetic :
         {std::optional<Arithmetic>(), std::optional(Arithmetic::prod), std::optional(Arithmetic::bor)}) {
        const Payload payload(tiny, arithmetic, 13);
        const auto whole = values_of(payload, 5, BlockSource::ranks_below(arithmetic ? 13 : 1), 2000);
        for (const std::size_t first : {0, 1, 7, 8, 255, 256, 1003}) {
            for (const std::size_t n : {0, 1, 3, 249, 257, 900}) {
                const auto part = values_of(payload, 5, BlockSource::ranks_below(arithmetic ? 13 : 1, first), n);
                CHECK(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(first)));
            }
        }
    }
}

TEST(ranks_and_seeds_send_different_messages) {
    const Payload payload(tiny, std::nullopt, 4);
    const auto one = values_of(payload, 1, BlockSource::rank(0), 1000);
    for (const auto& other :
         {values_of(payload, 1, BlockSource::rank(1), 1000), values_of(payload, 2, BlockSource::rank(0), 1000)}) {
        std::size_t equal = 0;
        for (std::size_t i = 0; i < 1000; ++i) {
            equal += one[i] == other[i] ? 1 : 0;
        }
        CHECK(equal < 20); // 1000 / 255 by chance, standard deviation 2
    }
}

TEST(moved_values_use_their_whole_range) {
    for (const Element element : elements) {
        auto drawn = values_of(Payload(element, std::nullopt, 2), 9, BlockSource::rank(1), 20000);
        std::sort(drawn.begin(), drawn.end());
        const auto n_different = std::unique(drawn.begin(), drawn.end()) - drawn.begin();
        CHECK_EQ(element.kind == Kind::byte ? 0 : -127, drawn.front());
        CHECK_EQ(element.kind == Kind::byte ? 128 : 255, n_different);
    }
}

TEST(products_are_of_minus_one_one_and_two) {
    const auto drawn = values_of(Payload(tiny, Arithmetic::prod, 4), 1, BlockSource::rank(2), 4000);
    for (const std::int32_t value : drawn) {
        CHECK(value == -1 || value == 1 || value == 2);
    }
    for (const std::int32_t value : {-1, 1, 2}) {
        CHECK(std::count(drawn.begin(), drawn.end(), value) > 500);
    }
}

TEST(no_value_and_no_result_is_poison) {
    constexpr Arithmetic all[] = {Arithmetic::sum,  Arithmetic::prod, Arithmetic::max,  Arithmetic::min,
                                  Arithmetic::land, Arithmetic::lor,  Arithmetic::lxor, Arithmetic::band,
                                  Arithmetic::bor,  Arithmetic::bxor};
    for (const Element element : elements) {
        const std::vector<std::byte> poison(element.size_bytes, Payload::poison);
        for (std::size_t which = 0; which <= std::size(all); ++which) {
            if (element.kind == Kind::byte && which < 7) {
                continue; // not defined on bytes
            }
            const auto arithmetic = which < std::size(all) ? std::optional(all[which]) : std::nullopt;
            for (const int n_ranks : {1, 2, 128, 512}) {
                std::vector<std::byte> bytes(element.size_bytes * 1000);
                Payload(element, arithmetic, n_ranks)
                    .write(4, BlockSource::ranks_below(arithmetic ? n_ranks : 1), bytes);
                for (std::size_t at = 0; at < bytes.size(); at += element.size_bytes) {
                    CHECK(!std::equal(poison.begin(), poison.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at)));
                }
            }
        }
    }
}

TEST(poison_reads_as_never_written) {
    const std::vector<std::byte> poison(8, Payload::poison);
    for (const Element element : elements) {
        CHECK_EQ("never written", ictus::element_text(element, poison.data()));
    }
}

TEST(elements_are_stored_and_read_as_their_datatype) {
    for (const Element element : elements) {
        const std::int32_t value = element.kind == Kind::byte ? 100 : -100;
        std::vector<std::byte> bytes(element.size_bytes);
        ictus::encode(element, {&value, 1}, bytes.data());
        CHECK_EQ(std::to_string(value), ictus::element_text(element, bytes.data()));
    }
}

TEST(the_first_element_with_a_wrong_bit_is_named) {
    for (const Element element : elements) {
        const Payload payload(element, std::nullopt, 3);
        std::vector<std::byte> bytes(element.size_bytes * 700);
        payload.write(8, BlockSource::rank(1, 3), bytes);
        CHECK(!payload.first_difference(8, BlockSource::rank(1, 3), bytes));
        for (const std::size_t wrong : {699, 511, 256, 0}) { // the last one first: each time the first is asked for
            bytes[wrong * element.size_bytes + element.size_bytes - 1] ^= std::byte{0x80}; // turns 0.0 into -0.0
            CHECK_EQ(wrong, payload.first_difference(8, BlockSource::rank(1, 3), bytes).value());
        }
    }
}
