// The data to send and to expect: small integers, exact in every datatype and in every order of reduction, drawn from a
// hash of (seed, rank, element) so that each rank can compute the data of all ranks. Knows no MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ictus {

/// The reduction operators as arithmetic on integers. All but `affine`, which no library has, commute.
enum class Arithmetic : std::uint8_t { sum, prod, max, min, land, lor, lxor, band, bor, bxor, affine };

/// The operands of `affine`: maps x -> slope x + shift of the integers modulo 11 onto themselves. Their composition is
/// associative and does not commute: any wrong order of the ranks gives another map. A map is one small integer, exact
/// in every datatype.
struct AffineMap {
    static constexpr std::int32_t modulus = 11;
    static constexpr std::int32_t n_maps = (modulus - 1) * modulus; ///< maps are the integers below this
    std::int32_t slope;                                             ///< 1 to 10
    std::int32_t shift;                                             ///< 0 to 10

    [[nodiscard]] static constexpr AffineMap of(std::int32_t value) { return {value / modulus + 1, value % modulus}; }
    [[nodiscard]] constexpr std::int32_t value() const { return (slope - 1) * modulus + shift; }
};

/// The map that first does `right`, then `left`.
[[nodiscard]] constexpr AffineMap operator*(const AffineMap& left, const AffineMap& right) {
    return {left.slope * right.slope % AffineMap::modulus,
            (left.slope * right.shift + left.shift) % AffineMap::modulus};
}

enum class ElementKind { byte, signed_integer, floating };

/// How one element is stored in memory.
struct Element {
    ElementKind kind;
    std::size_t size_bytes;
};

/// The source of a run of elements: the data of the ranks [first_rank, end_rank) from their element `first_element` on,
/// reduced over these ranks. A single rank means a copy.
struct BlockSource {
    int first_rank;
    int end_rank;
    std::size_t first_element;

    [[nodiscard]] static BlockSource rank(int rank, std::size_t first_element = 0) {
        return {rank, rank + 1, first_element};
    }
    [[nodiscard]] static BlockSource ranks_below(int end_rank, std::size_t first_element = 0) {
        return {0, end_rank, first_element};
    }
};

/// The payload of one case. Up to 256 ranks, the result of a reduction costs O(p n), with one hash for eight elements
/// of a rank: half a nanosecond per element. Beyond, of each eight elements at most 64 ranks hold values that matter,
/// which ranks differ from one eight to the next, and a result costs O(n) at any p. A wrong byte of a result is always
/// found. A lost contribution is found where it mattered, in about 64 of p groups of eight elements.
class Payload {
public:
    /// Fills a receive buffer before the call. No element of a payload or of a reduction's result consists of these
    /// bytes only.
    static constexpr std::byte poison{0x80};

    /// `arithmetic` is empty where the operation does not reduce.
    Payload(Element element, std::optional<Arithmetic> arithmetic, int n_ranks);

    [[nodiscard]] Element element() const { return element_; }
    /// The elements of `block_source` as the datatype stores them; `out` holds whole elements.
    void write(std::uint64_t seed, const BlockSource& block_source, std::span<std::byte> out) const;
    /// The first element of `found` that differs from `block_source` in any bit.
    [[nodiscard]] std::optional<std::size_t> first_difference(std::uint64_t seed, const BlockSource& block_source,
                                                              std::span<const std::byte> found) const;

private:
    static constexpr std::size_t lanes = 8;     // values from one hash
    static constexpr std::size_t n_groups = 32; // a constant, so that compilers vectorise the loops over the groups
    using Chunk = std::array<std::int32_t, lanes * n_groups>;
    using FirstBearers = std::array<std::uint32_t, n_groups>;

    struct ValueRange {
        std::int16_t low;
        std::uint16_t n_values; // at most 256
    };
    /// An operator that saturates (max, band, lor, ...) or overflows (prod, sum in one byte) over many ranks would say
    /// little about a single rank, and with any operator each rank computes the values of all. So at most `n_bearing`
    /// ranks, different ones for each group of elements, hold a value from `bearing`; all others hold one from
    /// `resting`: where that is a single value, it does not change the result.
    struct BearerRule {
        ValueRange bearing;
        ValueRange resting{0, 1};
        int n_bearing = 0; // 0: all ranks
    };
    [[nodiscard]] static BearerRule bearer_rule(Element element, std::optional<Arithmetic> arithmetic, int n_ranks);

    [[nodiscard]] FirstBearers first_bearers(std::uint64_t seed, std::size_t first_group) const;
    /// For `groups` groups, a constant for the same reason. Drawn values are narrow: a vector register holds one group.
    template <std::size_t groups>
    void draw(std::uint64_t seed, int rank, std::size_t first_group,
              std::span<const std::uint32_t, groups> first_bearers, std::span<std::int16_t, lanes * groups> out) const;
    void reduce(std::uint64_t seed, const BlockSource& block_source, std::size_t first_group, Chunk& out) const;
    [[nodiscard]] int next_bearer(int rank, std::uint32_t residue) const;
    template <std::size_t groups>
    void combine(std::span<std::int32_t, lanes * groups> result,
                 std::span<const std::int16_t, lanes * groups> operand) const;
    template <class Visit>
    void for_each_chunk(std::uint64_t seed, const BlockSource& block_source, std::size_t n, Visit visit) const;

    Element element_;
    std::optional<Arithmetic> arithmetic_;
    BearerRule bearer_rule_;
    std::uint32_t stride_; // every stride-th rank bears
};

/// Stores exact integers as elements.
void encode(Element element, std::span<const std::int32_t> values, std::byte* out);
/// An element as text; `never written` where it is poison.
[[nodiscard]] std::string element_text(Element element, const std::byte* bytes);

} // namespace ictus
