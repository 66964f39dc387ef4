// The layout of a derived datatype's elements in memory. Knows no MPI.
#pragma once

#include "workload/operation/payload.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ictus {

/// One unit, which a buffer repeats: runs of elements, with gaps between and after them. Positions count elements. Runs
/// do not overlap; their order is that of the datatype and of the message.
struct Shape {
    struct Run {
        std::size_t first;
        std::size_t n;
    };
    std::vector<Run> runs = {{0, 1}};
    std::size_t extent = 1; ///< elements from one unit to the next

    /// Elements of one unit.
    [[nodiscard]] std::size_t n_elements() const;
    /// Whether the elements are in order and without gaps, so that memory and message are equal.
    [[nodiscard]] bool is_dense() const;
};

/// Copies the elements of `message` to their positions in `memory` and leaves the gaps alone. `memory` holds whole
/// units, `message` their elements.
void lay_out(const Shape& shape, std::size_t element_bytes, std::span<const std::byte> message,
             std::span<std::byte> memory);

/// The message whose elements are in `memory`.
[[nodiscard]] std::vector<std::byte> message_in(const Shape& shape, std::size_t element_bytes,
                                                std::span<const std::byte> memory);

/// The first byte of a gap that differs from `untouched`.
[[nodiscard]] std::optional<std::size_t> touched_gap_in(const Shape& shape, std::size_t element_bytes,
                                                        std::span<const std::byte> memory, std::byte untouched);

} // namespace ictus
