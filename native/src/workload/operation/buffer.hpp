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
    /// On to the next slot of each buffer's area, where it has one (CallSite::area_bytes). Never timed.
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

/// Page-aligned memory with guard bytes right before and right behind it; every page is touched when it is made.
///
/// With an area the buffer moves through several slots, each of whole cache lines of its own: as many as hold
/// `area_bytes`, and at least two. The guards surround the current slot, over the neighbours' bytes.
class GuardedBuffer {
public:
    static constexpr std::size_t guard_bytes = 64;
    static constexpr std::size_t line_bytes = 64; ///< of a cache

    /// `area_bytes` 0: it stays where it is. Throws a measurement Error if there is not that much memory.
    explicit GuardedBuffer(std::size_t size_bytes, std::size_t area_bytes = 0);

    [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_bytes_}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
    [[nodiscard]] std::byte* data() const { return data_; }

    /// On to the next slot. All are visited before one is visited again, and those that follow each other are far
    /// apart, so that nothing is fetched ahead.
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
    std::size_t stride_;   ///< slots from one to the next, without a factor in common with their number
    std::size_t slot_ = 0; ///< where it is
    std::unique_ptr<std::byte, Free> memory_;
    std::byte* first_ = nullptr;
    std::byte* data_ = nullptr;
};

// A guarded buffer whose messages have a layout: payload goes in and comes out as a message, and bytes that must not
// change, around it and in its gaps, are checked. No MPI here.

class MessageBuffer {
public:
    /// Of `size_bytes` bytes, which are whole units; the rest as for GuardedBuffer.
    MessageBuffer(const Element& element, const Shape& shape, std::size_t size_bytes, std::size_t area_bytes = 0);

    [[nodiscard]] std::byte* data() const { return memory_.data(); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return memory_.bytes(); }

    /// On to the next slot of its area, where it has one.
    void advance() { memory_.advance(); }
    /// All bytes, gaps included, and the guards.
    void clear(std::byte filler);
    /// The elements of `block_source` into this many units.
    void write(const Payload& payload, std::uint64_t seed, const BlockSource& block_source, std::size_t first_unit,
               std::size_t n_units);
    /// The elements of this many units, without gaps.
    [[nodiscard]] std::vector<std::byte> message(std::size_t first_unit, std::size_t n_units) const;

    [[nodiscard]] std::size_t n_units() const { return memory_.bytes().size() / unit_bytes_; }
    /// A guard byte that was overwritten.
    [[nodiscard]] std::optional<Breach> breach() const { return memory_.breach(); }
    /// The first byte of a gap that is not as clear() left it.
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
