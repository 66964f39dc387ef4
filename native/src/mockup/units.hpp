// How a datatype's units lie in memory, and copying them: what a mock-up must know of buffers that are not its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>

namespace ictus::mockup {

/// A unit is one of what a call counts.
struct Units {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::size_t size_bytes = 0; ///< of its data; the largest number there is where an int does not count them
    MPI_Aint extent = 0;        ///< bytes from one unit to the next
    MPI_Aint first = 0;         ///< from where a unit is to its first byte of data
    MPI_Aint span = 0;          ///< from there behind its last one
    bool is_plain = false;      ///< memory is the message: bytes follow each other in its order, without gaps

    /// Throws an Error where MPI does not know the type.
    [[nodiscard]] static Units of(MPI_Datatype type);
    [[nodiscard]] static Units bytes();

    /// Whether units are one run of memory, in whatever order.
    [[nodiscard]] bool is_dense() const {
        return extent == span && static_cast<std::size_t>(extent) == size_bytes && extent > 0;
    }
    /// Unit `unit` of a buffer.
    [[nodiscard]] std::byte* at(std::byte* buffer, int unit) const { return buffer + extent * unit; }
    [[nodiscard]] const std::byte* at(const std::byte* buffer, int unit) const { return buffer + extent * unit; }
};

/// Units that are read.
struct Source {
    const std::byte* data;
    int count;
    const Units& units;
};

/// As much room as `count` units take.
struct Target {
    std::byte* data;
    int count;
    const Units& units;
};

/// What copying needs between: memory for this many packed bytes.
[[nodiscard]] std::size_t packed_bytes(const Units& to, const Units& from, int count);

/// As MPI would send it from one to the other: gaps stay as they are. Returns MPI's code.
int copy(const Target& to, const Source& from, std::byte* packed, MPI_Comm comm);

/// The bytes of the message, one behind the other, and back.
int pack(std::byte* to, const Source& from, MPI_Comm comm);
int unpack(const Target& to, const std::byte* from, MPI_Comm comm);

} // namespace ictus::mockup
