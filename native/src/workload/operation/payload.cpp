#include "workload/operation/payload.hpp"

#include "base/quantity.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <cstring>

namespace ictus {
namespace {

constexpr std::uint64_t payload_step =
    0x9E3779B97F4A7C15u; // the step of SplitMix64, so that a rank's hashes are a stream of it
constexpr std::int32_t largest_exact = (1 << 24) - 1; // a float holds every integer up to here

/// The start of a rank's stream of hashes. The stream of rank -1 chooses the bearing ranks.
std::uint64_t payload_stream(std::uint64_t seed, int rank) {
    return SplitMix64::mix(SplitMix64::mix(seed) + static_cast<std::uint64_t>(rank + 1));
}

template <class T>
void encode_as(std::span<const std::int32_t> values, std::byte* out) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T value = static_cast<T>(values[i]);
        std::memcpy(out + i * sizeof(T), &value, sizeof(T));
    }
}

template <class T>
T decoded(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

} // namespace

Payload::Payload(Element element, std::optional<Arithmetic> arithmetic, int n_ranks)
    : element_(element), arithmetic_(arithmetic), bearer_rule_(bearer_rule(element, arithmetic, n_ranks)),
      stride_(bearer_rule_.n_bearing == 0
                  ? 1u
                  : static_cast<std::uint32_t>((n_ranks + bearer_rule_.n_bearing - 1) / bearer_rule_.n_bearing)) {}

Payload::BearerRule Payload::bearer_rule(Element element, std::optional<Arithmetic> arithmetic, int n_ranks) {
    constexpr int few = 3;
    constexpr int many_ranks = 256;
    constexpr int sampled = 64; // of many ranks
    const bool samples = n_ranks > many_ranks;
    const int n_bearing = samples ? sampled : 0;
    constexpr ValueRange bits{0, 128}; // without the bit of the poison
    constexpr ValueRange truth{0, 2};
    constexpr ValueRange all{-127, 255}; // without the poison, -128 in one byte
    if (!arithmetic) {
        return {element.kind == ElementKind::byte ? bits : all};
    }
    switch (*arithmetic) {
    case Arithmetic::sum: {
        const std::int32_t limit = element.size_bytes == 1 ? 127 : largest_exact;
        const std::int32_t largest = std::clamp(limit / n_ranks, 1, 127);
        return {{static_cast<std::int16_t>(-largest), static_cast<std::uint16_t>(2 * largest + 1)},
                {0, 1},
                samples ? sampled : limit};
    }
    case Arithmetic::prod: // draw() leaves out 0: -1, 1, 2; and -1, 1, or 1 alone; at most 2^6
        return samples ? BearerRule{{-1, 3}, {0, 1}, 6} : BearerRule{{-1, 3}, {-1, 2}, 6};
    case Arithmetic::max: return {all, {-127, 1}, few};
    case Arithmetic::min: return {all, {127, 1}, few};
    case Arithmetic::land: return {truth, {1, 1}, few};
    case Arithmetic::lor: return {truth, {0, 1}, few};
    case Arithmetic::lxor: return {truth, {0, 1}, n_bearing};
    case Arithmetic::band: return {bits, {127, 1}, few};
    case Arithmetic::bor: return {bits, {0, 1}, few};
    case Arithmetic::bxor: return {bits, {0, 1}, n_bearing};
    case Arithmetic::affine: return {{0, AffineMap::n_maps}, {0, 1}, n_bearing}; // 0: the identity
    }
    return {all};
}

/// The bearing ranks of group g are those with rank mod stride == first_bearers[g].
Payload::FirstBearers Payload::first_bearers(std::uint64_t seed, std::size_t first_group) const {
    FirstBearers first_bearers{};
    if (stride_ == 1) {
        return first_bearers;
    }
    const std::uint64_t stream = payload_stream(seed, -1);
    for (std::size_t g = 0; g < n_groups; ++g) {
        first_bearers[g] =
            static_cast<std::uint32_t>(SplitMix64::mix(stream + payload_step * (first_group + g + 1)) % stride_);
    }
    return first_bearers;
}

template <std::size_t groups>
void Payload::draw(std::uint64_t seed, int rank, std::size_t first_group,
                   std::span<const std::uint32_t, groups> first_bearers,
                   std::span<std::int16_t, lanes * groups> out) const {
    const std::uint64_t stream = payload_stream(seed, rank);
    std::array<std::uint8_t, lanes * groups> random;
    for (std::size_t g = 0; g < groups; ++g) {
        const std::uint64_t word = SplitMix64::mix(stream + payload_step * (first_group + g + 1));
        std::memcpy(&random[lanes * g], &word,
                    lanes); // in the byte order of the machine, which all ranks of a launch share
    }
    const std::uint32_t residue = static_cast<std::uint32_t>(rank) % stride_;
    for (std::size_t g = 0; g < groups; ++g) {
        const ValueRange range = first_bearers[g] == residue ? bearer_rule_.bearing : bearer_rule_.resting;
        for (std::size_t k = 0; k < lanes; ++k) {
            const auto scaled = static_cast<std::uint16_t>(random[lanes * g + k] * range.n_values);
            out[lanes * g + k] = static_cast<std::int16_t>(range.low + (scaled >> 8));
        }
    }
    if (arithmetic_ == Arithmetic::prod) {
        for (std::int16_t& value : out) {
            value = static_cast<std::int16_t>(value + (value >= 0 ? 1 : 0));
        }
    }
}

void Payload::reduce(std::uint64_t seed, const BlockSource& block_source, std::size_t first_group, Chunk& out) const {
    const FirstBearers whose = first_bearers(seed, first_group);
    std::array<std::int16_t, lanes * n_groups> operand;
    draw<n_groups>(seed, block_source.first_rank, first_group, whose, operand);
    std::copy(operand.begin(), operand.end(), out.begin());
    if (stride_ == 1 || bearer_rule_.resting.n_values > 1) {
        for (int rank = block_source.first_rank + 1; rank < block_source.end_rank; ++rank) {
            draw<n_groups>(seed, rank, first_group, whose, operand);
            combine<n_groups>(out, operand);
        }
        return;
    }
    for (std::size_t g = 0; g < n_groups; ++g) { // the value of a resting rank changes nothing
        const auto result = std::span(out).subspan(lanes * g).first<lanes>();
        const std::span<const std::uint32_t, 1> bearer(&whose[g], 1);
        std::array<std::int16_t, lanes> values;
        for (int rank = next_bearer(block_source.first_rank, whose[g]); rank < block_source.end_rank;
             rank += static_cast<int>(stride_)) {
            draw<1>(seed, rank, first_group + g, bearer, values);
            combine<1>(result, values);
        }
    }
}

/// The first bearing rank behind `rank`.
int Payload::next_bearer(int rank, std::uint32_t residue) const {
    const auto next = static_cast<std::uint32_t>(rank) + 1;
    return static_cast<int>(next + (residue + stride_ - next % stride_) % stride_);
}

template <std::size_t groups>
void Payload::combine(std::span<std::int32_t, lanes * groups> result,
                      std::span<const std::int16_t, lanes * groups> operand) const {
    const auto each = [&](auto apply) {
        for (std::size_t i = 0; i < result.size(); ++i) {
            result[i] = apply(result[i], std::int32_t{operand[i]});
        }
    };
    using Int = std::int32_t;
    switch (*arithmetic_) {
    case Arithmetic::sum: return each([](Int a, Int b) { return a + b; });
    case Arithmetic::prod: return each([](Int a, Int b) { return a * b; });
    case Arithmetic::max: return each([](Int a, Int b) { return a > b ? a : b; });
    case Arithmetic::min: return each([](Int a, Int b) { return a < b ? a : b; });
    case Arithmetic::land: // values are 0 and 1, where logical and bitwise operators agree
    case Arithmetic::band: return each([](Int a, Int b) { return a & b; });
    case Arithmetic::lor:
    case Arithmetic::bor: return each([](Int a, Int b) { return a | b; });
    case Arithmetic::lxor:
    case Arithmetic::bxor: return each([](Int a, Int b) { return a ^ b; });
    case Arithmetic::affine: return each([](Int a, Int b) { return (AffineMap::of(a) * AffineMap::of(b)).value(); });
    }
}

/// Calls visit(position, values) along n elements until it returns false.
template <class Visit>
void Payload::for_each_chunk(std::uint64_t seed, const BlockSource& block_source, std::size_t n, Visit visit) const {
    Chunk chunk;
    for (std::size_t at = 0; at < n;) {
        const std::size_t element = block_source.first_element + at;
        const std::size_t skipped = element % lanes;
        reduce(seed, block_source, element / lanes, chunk);
        const std::size_t used = std::min(n - at, chunk.size() - skipped);
        if (!visit(at, std::span<const std::int32_t>(chunk).subspan(skipped, used))) {
            return;
        }
        at += used;
    }
}

void Payload::write(std::uint64_t seed, const BlockSource& block_source, std::span<std::byte> out) const {
    const std::size_t size = element_.size_bytes;
    for_each_chunk(seed, block_source, out.size() / size, [&](std::size_t at, std::span<const std::int32_t> values) {
        encode(element_, values, out.data() + at * size);
        return true;
    });
}

std::optional<std::size_t> Payload::first_difference(std::uint64_t seed, const BlockSource& block_source,
                                                     std::span<const std::byte> found) const {
    const std::size_t size = element_.size_bytes;
    std::optional<std::size_t> difference;
    std::array<std::byte, std::tuple_size_v<Chunk> * sizeof(std::int64_t)> expected;
    for_each_chunk(seed, block_source, found.size() / size, [&](std::size_t at, std::span<const std::int32_t> values) {
        encode(element_, values, expected.data());
        const std::byte* const here = found.data() + at * size;
        if (std::memcmp(expected.data(), here, values.size() * size) == 0) {
            return true;
        }
        std::size_t i = 0;
        while (std::memcmp(expected.data() + i * size, here + i * size, size) == 0) {
            ++i;
        }
        difference = at + i;
        return false;
    });
    return difference;
}

void encode(Element element, std::span<const std::int32_t> values, std::byte* out) {
    const bool wide = element.size_bytes == 8;
    switch (element.kind) {
    case ElementKind::byte: return encode_as<std::uint8_t>(values, out);
    case ElementKind::signed_integer:
        if (element.size_bytes == 1) {
            return encode_as<std::int8_t>(values, out);
        }
        return wide ? encode_as<std::int64_t>(values, out) : encode_as<std::int32_t>(values, out);
    case ElementKind::floating: return wide ? encode_as<double>(values, out) : encode_as<float>(values, out);
    }
}

std::string element_text(Element element, const std::byte* bytes) {
    const bool wide = element.size_bytes == 8;
    if (std::all_of(bytes, bytes + element.size_bytes, [](std::byte b) { return b == Payload::poison; })) {
        return "never written";
    }
    switch (element.kind) {
    case ElementKind::byte: return std::to_string(decoded<std::uint8_t>(bytes));
    case ElementKind::signed_integer:
        if (element.size_bytes == 1) {
            return std::to_string(decoded<std::int8_t>(bytes));
        }
        return std::to_string(wide ? decoded<std::int64_t>(bytes) : decoded<std::int32_t>(bytes));
    case ElementKind::floating: return format_real(wide ? decoded<double>(bytes) : decoded<float>(bytes));
    }
    return "unknown";
}

} // namespace ictus
