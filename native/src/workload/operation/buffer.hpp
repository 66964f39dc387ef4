// A buffer for MPI that tells when somebody wrote outside of it. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>

namespace ictus {

/// A guard byte that was overwritten.
struct Breach {
    bool before;          ///< in front of the buffer, else behind it
    std::size_t distance; ///< 0: next to the buffer
    std::byte expected;
    std::byte found;
};

/// Page-aligned memory with guard bytes right before and right behind it; every page is touched when it is made.
///
/// With an area it is one of several places that the buffer moves through, each of whole cache lines of its own: as
/// many as hold `area_bytes`, and at least two. The guards are at the place where it is, over the neighbours' bytes.
class GuardedBuffer {
public:
    static constexpr std::size_t guard_bytes = 64;
    static constexpr std::size_t line_bytes = 64; ///< of a cache

    /// `area_bytes` 0: it stays where it is. Throws a measurement Error if there is not that much memory.
    explicit GuardedBuffer(std::size_t size_bytes, std::size_t area_bytes = 0);

    [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_bytes_}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
    [[nodiscard]] std::byte* data() const { return data_; }

    [[nodiscard]] std::size_t n_places() const { return n_places_; }
    /// On to the next place. All are visited before one is visited again, and those that follow each other are far
    /// apart, so that nothing is fetched ahead.
    void advance();

    void raise_guards();
    [[nodiscard]] std::optional<Breach> breach() const;

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };

    std::size_t size_bytes_;
    std::size_t place_bytes_;
    std::size_t n_places_;
    std::size_t stride_;    ///< places from one to the next, without a factor in common with their number
    std::size_t place_ = 0; ///< where it is
    std::unique_ptr<std::byte, Free> memory_;
    std::byte* first_ = nullptr;
    std::byte* data_ = nullptr;
};

} // namespace ictus
