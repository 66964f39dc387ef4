// The buffers of an operation: guarded memory, memory that moves, and messages in it. No MPI here.
#pragma once

#include "workload/operation/payload.hpp"
#include "workload/operation/shape.hpp"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>

namespace ictus {

/// What a cache mode does to the buffers of an operation.
class MovingBuffers {
public:
    /// Moves each buffer to the next slot of its area, where it has one (CallSite::area_bytes). Never timed.
    virtual void advance() {}

protected:
    ~MovingBuffers() = default;
};

/// A buffer for MPI that detects writes outside of it.
/// A guard byte that was overwritten.
struct Breach {
    bool before;          ///< in front of the buffer, else behind it
    std::size_t distance; ///< 0: next to the buffer
    std::byte expected;
    std::byte found;
};

/// Page-aligned memory with guard bytes directly before and after it; the constructor touches every page.
///
/// With an area, the buffer moves through several slots of whole cache lines: enough to hold `area_bytes`, and at least
/// two. The guards surround the current slot and overwrite bytes of its neighbours.
class GuardedBuffer {
public:
    static constexpr std::size_t guard_bytes = 64;
    static constexpr std::size_t line_bytes = 64; ///< of a cache

    /// With `area_bytes` 0 the buffer does not move. Throws a measurement Error if there is not enough memory.
    explicit GuardedBuffer(std::size_t size_bytes, std::size_t area_bytes = 0);

    [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_bytes_}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
    [[nodiscard]] std::byte* data() const { return data_; }

    /// Moves to the next slot. Every slot is visited before any slot is visited again. Consecutive slots are far apart,
    /// so that no prefetcher helps.
    void advance();

    void raise_guards();
    [[nodiscard]] std::optional<Breach> breach() const;

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };

    std::size_t size_bytes_;
    std::size_t slot_bytes_;
    std::size_t n_slots_;
    std::size_t stride_;   ///< steps to the next slot; it has no common factor with the number of slots
    std::size_t slot_ = 0; ///< the current one
    std::unique_ptr<std::byte, Free> memory_;
    std::byte* first_ = nullptr;
    std::byte* data_ = nullptr;
};

// A guarded buffer whose messages have a layout. Payload goes in and comes out as a message; the bytes around it and in
// its gaps, which must not change, are checked. No MPI here.

class MessageBuffer {
public:
    /// A buffer of `size_bytes` bytes, which are whole units; the other arguments are those of GuardedBuffer.
    MessageBuffer(const Element& element, const Shape& shape, std::size_t size_bytes, std::size_t area_bytes = 0);

    [[nodiscard]] std::byte* data() const { return memory_.data(); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return memory_.bytes(); }

    /// Moves to the next slot of its area, where it has one.
    void advance() { memory_.advance(); }
    /// All bytes, gaps included, and the guards.
    void clear(std::byte filler);
    /// Stores the elements of `block_source` in `n_units` units.
    void write(const Payload& payload, std::uint64_t seed, const BlockSource& block_source, std::size_t first_unit,
               std::size_t n_units);
    /// The elements of `n_units` units, without gaps.
    [[nodiscard]] std::vector<std::byte> message(std::size_t first_unit, std::size_t n_units) const;

    [[nodiscard]] std::size_t n_units() const { return memory_.bytes().size() / unit_bytes_; }
    /// A guard byte that was overwritten.
    [[nodiscard]] std::optional<Breach> breach() const { return memory_.breach(); }
    /// The first byte of a gap that differs from what clear() wrote.
    [[nodiscard]] std::optional<std::size_t> touched_gap() const;

private:
    std::size_t element_bytes_;
    Shape shape_;
    bool is_dense_;
    std::size_t unit_bytes_;
    GuardedBuffer memory_;
    std::byte filler_{};
};

} // namespace ictus
