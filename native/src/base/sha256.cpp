#include "base/sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ictus {
namespace {

constexpr std::size_t block_bytes = 64;
constexpr std::size_t n_rounds = 64;
using State = std::array<std::uint32_t, 8>;

/// The first 32 bits behind the point of `root`s of the first primes: the square roots are the initial state, the cube
/// roots the constants of the rounds. A long double holds them exactly enough.
template <std::size_t n>
std::array<std::uint32_t, n> fractions_of_primes(long double (*root)(long double)) {
    std::array<std::uint32_t, n> found{};
    std::size_t n_found = 0;
    for (unsigned candidate = 2; n_found < n; ++candidate) {
        bool is_prime = true;
        for (unsigned divisor = 2; divisor * divisor <= candidate; ++divisor) {
            is_prime = is_prime && candidate % divisor != 0;
        }
        if (is_prime) {
            const long double value = root(static_cast<long double>(candidate));
            found[n_found++] = static_cast<std::uint32_t>((value - std::floor(value)) * 4294967296.0L);
        }
    }
    return found;
}

void add_block(State& state, std::string_view block) {
    static const auto constants = fractions_of_primes<n_rounds>([](long double x) { return std::cbrt(x); });
    std::array<std::uint32_t, n_rounds> words{};
    for (std::size_t i = 0; i < block_bytes; ++i) {
        words[i / 4] = words[i / 4] << 8U | static_cast<unsigned char>(block[i]);
    }
    for (std::size_t i = 16; i < n_rounds; ++i) {
        const std::uint32_t early = words[i - 15];
        const std::uint32_t late = words[i - 2];
        words[i] = words[i - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ early >> 3U) + words[i - 7] +
                   (std::rotr(late, 17) ^ std::rotr(late, 19) ^ late >> 10U);
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < n_rounds; ++i) {
        const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                    constants[i] + words[i];
        const std::uint32_t second =
            (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const State more{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] += more[i];
    }
}

/// What follows the last whole block: the rest, a one bit, zeros, and the length in bits as 8 bytes.
std::string padded_end(std::string_view bytes) {
    std::string end(bytes.substr(bytes.size() / block_bytes * block_bytes));
    end += '\x80';
    end.resize((end.size() + 8 + block_bytes - 1) / block_bytes * block_bytes - 8);
    for (int shift = 56; shift >= 0; shift -= 8) {
        end += static_cast<char>(static_cast<std::uint64_t>(bytes.size()) * 8 >> static_cast<unsigned>(shift));
    }
    return end;
}

} // namespace

std::string sha256(std::string_view bytes) {
    State state = fractions_of_primes<8>([](long double x) { return std::sqrt(x); });
    const std::string end = padded_end(bytes);
    for (const std::string_view part :
         {bytes.substr(0, bytes.size() / block_bytes * block_bytes), std::string_view(end)}) {
        for (std::size_t at = 0; at < part.size(); at += block_bytes) {
            add_block(state, part.substr(at, block_bytes));
        }
    }
    std::string text;
    for (const std::uint32_t word : state) {
        for (int shift = 28; shift >= 0; shift -= 4) {
            text += "0123456789abcdef"[word >> static_cast<unsigned>(shift) & 15U];
        }
    }
    return text;
}

} // namespace ictus
