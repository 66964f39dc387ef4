// How the elements of a derived datatype lie in memory. Knows no MPI.
#pragma once

#include "workload/operation/payload.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ictus {

/// One unit, which a buffer repeats: runs of elements, and gaps between and behind them. Positions count in elements.
/// The runs are in the order of the datatype, which a message has too, and do not overlap.
struct Shape {
    struct Run {
        std::size_t first;
        std::size_t n;
    };
    std::vector<Run> runs = {{0, 1}};
    std::size_t extent = 1; ///< from one unit to the next

    /// Of one unit.
    [[nodiscard]] std::size_t n_elements() const;
    /// Whether elements follow each other in order and without gaps, so that memory is the message.
    [[nodiscard]] bool is_dense() const;
};

/// Lays the elements of a message where the units in `memory` have them; gaps stay as they are. `memory` holds whole
/// units and `message` as many elements as they have.
void lay_out(const Shape& shape, std::size_t element_bytes, std::span<const std::byte> message,
             std::span<std::byte> memory);

/// The message that lies in `memory`.
[[nodiscard]] std::vector<std::byte> message_in(const Shape& shape, std::size_t element_bytes,
                                                std::span<const std::byte> memory);

/// The first byte of a gap that is not `untouched`.
[[nodiscard]] std::optional<std::size_t> touched_gap_in(const Shape& shape, std::size_t element_bytes,
                                                        std::span<const std::byte> memory, std::byte untouched);

} // namespace ictus
