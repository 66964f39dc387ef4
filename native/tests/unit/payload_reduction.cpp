// The payload's exact integers against naive loops over typed values, as MPI's operators are written in any library: in
// C, on the datatype, in an order of the library's choice.
#include "check.hpp"
#include "payload_elements.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using ictus::Arithmetic;
using ictus::BlockSource;
using ictus::Element;
using ictus::Payload;
using payload_test::values_of;

namespace {

using Kind = ictus::ElementKind;

constexpr std::size_t n = 300; // more than one chunk
constexpr int rank_counts[] = {1, 2, 3, 5, 8, 64, 127, 128, 129, 256, 257, 512, 1024};
constexpr Arithmetic everything[] = {Arithmetic::sum,  Arithmetic::prod, Arithmetic::max,   Arithmetic::min,
                                     Arithmetic::land, Arithmetic::lor,  Arithmetic::lxor,  Arithmetic::band,
                                     Arithmetic::bor,  Arithmetic::bxor, Arithmetic::affine};
constexpr Arithmetic floating[] = {Arithmetic::sum, Arithmetic::prod, Arithmetic::max, Arithmetic::min,
                                   Arithmetic::affine};
constexpr Arithmetic bitwise[] = {Arithmetic::band, Arithmetic::bor, Arithmetic::bxor, Arithmetic::affine};

template <class T>
T apply(Arithmetic arithmetic, T a, T b) {
    switch (arithmetic) {
    case Arithmetic::sum: return static_cast<T>(a + b);
    case Arithmetic::prod: return static_cast<T>(a * b);
    case Arithmetic::max: return a > b ? a : b;
    case Arithmetic::min: return a < b ? a : b;
    case Arithmetic::land: return static_cast<T>(a && b);
    case Arithmetic::lor: return static_cast<T>(a || b);
    case Arithmetic::lxor: return static_cast<T>(!a != !b);
    case Arithmetic::affine: { // (slope - 1) * 11 + shift
        const int left = static_cast<int>(a);
        const int right = static_cast<int>(b);
        const int slope = (left / 11 + 1) * (right / 11 + 1) % 11;
        return static_cast<T>((slope - 1) * 11 + ((left / 11 + 1) * (right % 11) + left % 11) % 11);
    }
    default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        if (arithmetic == Arithmetic::band) {
            return static_cast<T>(a & b);
        }
        if (arithmetic == Arithmetic::bor) {
            return static_cast<T>(a | b);
        }
        if (arithmetic == Arithmetic::bxor) {
            return static_cast<T>(a ^ b);
        }
    }
    throw check::Failure("an operator that the datatype does not have");
}

/// What the ranks send, one row a rank.
template <class T>
std::vector<std::vector<T>> sent(const Payload& payload, std::uint64_t seed, int n_ranks, std::size_t first) {
    std::vector<std::vector<T>> rows(static_cast<std::size_t>(n_ranks), std::vector<T>(n));
    for (int rank = 0; rank < n_ranks; ++rank) {
        payload.write(seed, BlockSource::rank(rank, first),
                      std::as_writable_bytes(std::span(rows[static_cast<std::size_t>(rank)])));
    }
    return rows;
}

/// Rank after rank; from the last to the first; and by halves, as a tree does.
template <class T>
std::vector<T> in_order(Arithmetic arithmetic, const std::vector<std::vector<T>>& rows, std::size_t begin,
                        std::size_t end, int order) {
    if (end - begin == 1) {
        return rows[begin];
    }
    const std::size_t middle = order == 0 ? end - 1 : order == 1 ? begin + 1 : begin + (end - begin) / 2;
    std::vector<T> left = in_order(arithmetic, rows, begin, middle, order);
    const std::vector<T> right = in_order(arithmetic, rows, middle, end, order);
    for (std::size_t i = 0; i < n; ++i) {
        left[i] = apply<T>(arithmetic, left[i], right[i]);
    }
    return left;
}

/// Fewer where errors of memory are looked for: with more ranks the same memory is written more often.
std::span<const int> numbers_of_ranks() {
    const std::span<const int> all = rank_counts;
    return check::in_few_worlds() ? all.first(9) : all;
}

template <class T>
void check_against_naive(Kind kind, std::span<const Arithmetic> operators) {
    const std::size_t first = 5; // not at a hash's first lane
    for (const Arithmetic arithmetic : operators) {
        for (const int n_ranks : numbers_of_ranks()) {
            const Payload payload({kind, sizeof(T)}, arithmetic, n_ranks);
            const auto rows = sent<T>(payload, 7, n_ranks, first);
            std::vector<T> expected(n);
            payload.write(7, BlockSource::ranks_below(n_ranks, first), std::as_writable_bytes(std::span(expected)));
            for (int order = 0; order < 3; ++order) {
                const auto found = in_order(arithmetic, rows, 0, rows.size(), order);
                CHECK_EQ(0, std::memcmp(expected.data(), found.data(), n * sizeof(T)));
            }
        }
    }
}

} // namespace

TEST(every_order_of_reduction_gives_the_expected_bytes) {
    check_against_naive<std::uint8_t>(Kind::byte, bitwise);
    check_against_naive<std::int8_t>(Kind::signed_integer, everything);
    check_against_naive<std::int32_t>(Kind::signed_integer, everything);
    check_against_naive<std::int64_t>(Kind::signed_integer, everything);
    check_against_naive<float>(Kind::floating, floating);
    check_against_naive<double>(Kind::floating, floating);
}

TEST(prefix_sums_are_those_of_the_ranks_so_far) {
    const int n_ranks = 9;
    const Payload payload({Kind::signed_integer, 4}, Arithmetic::sum, n_ranks);
    std::vector<std::int32_t> running(n, 0);
    for (int rank = 0; rank < n_ranks; ++rank) {
        const auto own = values_of(payload, 3, BlockSource::rank(rank), n);
        const auto scan = values_of(payload, 3, BlockSource::ranks_below(rank + 1), n);
        for (std::size_t i = 0; i < n; ++i) {
            running[i] += own[i];
        }
        CHECK(running == scan);
    }
}

TEST(no_partial_result_leaves_its_datatype) {
    // Whatever subset of ranks is reduced first: the sum of magnitudes bounds every partial sum, their product every
    // product.
    for (const std::size_t size : {1, 4}) {
        const std::int64_t largest = size == 1 ? 127 : (1 << 24) - 1;
        for (const int n_ranks : rank_counts) {
            const Payload sums({Kind::signed_integer, size}, Arithmetic::sum, n_ranks);
            const Payload products({Kind::signed_integer, size}, Arithmetic::prod, n_ranks);
            std::vector<std::int64_t> sum(n, 0), product(n, 1);
            for (int rank = 0; rank < n_ranks; ++rank) {
                const auto terms = values_of(sums, 1, BlockSource::rank(rank), n);
                const auto factors = values_of(products, 1, BlockSource::rank(rank), n);
                for (std::size_t i = 0; i < n; ++i) {
                    sum[i] += std::abs(terms[i]);
                    product[i] *= std::abs(factors[i]);
                }
            }
            for (std::size_t i = 0; i < n; ++i) {
                CHECK(sum[i] <= largest);
                CHECK(product[i] >= 1);
                CHECK(product[i] <= 64);
            }
        }
    }
}

TEST(results_over_many_ranks_still_depend_on_them) {
    // An operator that saturates would give the same result at every element, and hide a rank that was left out.
    for (const Arithmetic arithmetic : everything) {
        const Payload payload({Kind::signed_integer, 1}, arithmetic, 512);
        const auto values = values_of(payload, 11, BlockSource::ranks_below(512), n);
        std::size_t most_frequent = 0;
        for (const std::int32_t value : values) {
            most_frequent =
                std::max(most_frequent, static_cast<std::size_t>(std::count(values.begin(), values.end(), value)));
        }
        CHECK(most_frequent < n * 95 / 100);
    }
}

TEST(a_rank_left_out_is_seen) {
    // At 16 ranks each one bears in about a third of the groups or more: over 300 elements its absence shows.
    for (const Arithmetic arithmetic : everything) {
        const Payload payload({Kind::signed_integer, 4}, arithmetic, 16);
        const auto all = values_of(payload, 2, BlockSource::ranks_below(16), n);
        const auto without_last = values_of(payload, 2, BlockSource::ranks_below(15), n);
        CHECK(all != without_last);
    }
}

TEST(of_many_ranks_every_flipped_byte_and_every_lost_rank_is_seen) {
    // At 16,384 ranks a rank bears in every 256th group of eight elements, and 131,072 elements are 16,384 groups: that
    // a rank bears in none of them has the chance (255/256)^16384 = 1e-28.
    constexpr int n_ranks = 16384;
    constexpr std::size_t many = 131072;
    const Element element{Kind::signed_integer, 4};
    for (const Arithmetic arithmetic : {Arithmetic::sum, Arithmetic::bxor, Arithmetic::affine}) {
        const Payload payload(element, arithmetic, n_ranks);
        std::vector<std::byte> result(many * element.size_bytes);
        payload.write(3, BlockSource::ranks_below(n_ranks), result);
        CHECK(!payload.first_difference(3, BlockSource::ranks_below(n_ranks), result));
        CHECK(payload.first_difference(3, BlockSource::ranks_below(n_ranks - 1), result).has_value());
        CHECK(payload.first_difference(3, {1, n_ranks, 0}, result).has_value());
        result.resize(300 * element.size_bytes);
        for (std::size_t at = 0; at < result.size(); ++at) {
            result[at] ^= std::byte{1};
            const auto found = payload.first_difference(3, BlockSource::ranks_below(n_ranks), result);
            CHECK(found.has_value());
            CHECK_EQ(at / element.size_bytes, *found);
            result[at] ^= std::byte{1};
        }
    }
}

TEST(a_user_defined_order_is_seen_when_any_two_neighbours_change_places) {
    const int n_ranks = 8;
    const Payload payload({Kind::byte, 1}, Arithmetic::affine, n_ranks);
    const auto rows = sent<std::uint8_t>(payload, 5, n_ranks, 0);
    const auto right = in_order(Arithmetic::affine, rows, 0, rows.size(), 0);
    for (std::size_t first = 0; first + 1 < rows.size(); ++first) {
        auto swapped = rows;
        std::swap(swapped[first], swapped[first + 1]);
        CHECK(right != in_order(Arithmetic::affine, swapped, 0, rows.size(), 0));
    }
}
