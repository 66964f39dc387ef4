// A guarded buffer whose messages lie as a layout says: payload goes in and comes out as a message, and what must not
// be touched, around it and in its gaps, is watched. Knows no MPI.
#pragma once

#include "workload/operation/buffer.hpp"
#include "workload/operation/payload.hpp"
#include "workload/operation/shape.hpp"

namespace ictus {

class MessageBuffer {
public:
    /// Of `size_bytes` bytes, which are whole units; the rest as for GuardedBuffer.
    MessageBuffer(const Element& element, const Shape& shape, std::size_t size_bytes, std::size_t area_bytes = 0);

    [[nodiscard]] std::byte* data() const { return memory_.data(); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return memory_.bytes(); }

    /// On to the next place of its area, where it has one.
    void advance() { memory_.advance(); }
    /// All bytes, gaps included, and the guards.
    void clear(std::byte filler);
    /// The elements of `origin` into so many units.
    void write(const Payload& payload, std::uint64_t seed, const Origin& origin, std::size_t first_unit,
               std::size_t n_units);
    /// The elements of so many units, without gaps.
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
