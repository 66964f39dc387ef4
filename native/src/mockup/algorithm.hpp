// The layout of a datatype's units in memory, and how to copy them: for the buffers of programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mpi.h>
#include <span>
#include <string_view>

namespace ictus::mockup {

/// A unit is one of what a call counts.
struct Units {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::size_t size_bytes = 0; ///< of its data; the largest number there is where an int does not count them
    MPI_Aint extent = 0;        ///< bytes from one unit to the next
    MPI_Aint first = 0;         ///< from where a unit is to its first byte of data
    MPI_Aint span = 0;          ///< from there behind its last one
    bool is_plain = false;      ///< memory is the message: bytes follow each other in its order, without gaps

    /// Valid until this thread asks for those of another type: by value they would be built on the stack and copied
    /// from there, which takes as long as the rest of a decision. Throws an Error where MPI does not know the type.
    [[nodiscard]] static const Units& of(MPI_Datatype type);
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

/// Memory for `count` units.
struct Target {
    std::byte* data;
    int count;
    const Units& units;
};

/// The packed bytes that a copy needs in between.
[[nodiscard]] std::size_t packed_bytes(const Units& to, const Units& from, int count);

/// As MPI would send it from one to the other: gaps stay as they are. Returns MPI's code.
int copy(const Target& to, const Source& from, std::byte* packed, MPI_Comm comm);

/// The bytes of the message, one behind the other, and back.
int pack(std::byte* to, const Source& from, MPI_Comm comm);
int unpack(const Target& to, const std::byte* from, MPI_Comm comm);

// A mock-up computes by other calls what one collective computes: the right side of a performance guideline. Its
// algorithm is written once, on the arguments of that collective: ictus-bench measures it as an operation
// (workload/operation/mockups.cpp), and libictus-redirect calls it in the place of the collective (redirect/), on the
// buffers, datatypes and communicators of unmodified programs. So the measured code is the code that runs.
//
// A rank knows whether it is called in place itself, but not whether the root is.

/// Of the collective that a mock-up stands for, as this rank calls it.
struct Arguments {
    const std::byte* own = nullptr; ///< the rank's own data: what it sends or, in place, where that lies
    std::byte* result = nullptr;    ///< what it receives into; null where that is not significant
    int count = 0;                  ///< units of its message, or of one of its blocks
    int result_count = 0;           ///< units received, of each block where there are several
    Units units{};                  ///< of `own`
    Units result_units{};
    const int* counts = nullptr; ///< of the p blocks of MPI_Reduce_scatter
    bool in_place = false;       ///< this rank
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    int rank = 0;
    int n_ranks = 1;
    MPI_Comm comm = MPI_COMM_NULL;

    [[nodiscard]] bool is_root() const { return rank == root; }
    /// The rank's message or block.
    [[nodiscard]] Source source() const { return {own, count, units}; }
};

/// Memory for units: from the first byte of data to the last, wherever MPI counts from.
struct UnitMemory {
    std::int64_t n_units = 0;
    Units units{};

    [[nodiscard]] std::size_t n_bytes() const;
    /// The address for MPI of memory that begins at `memory`.
    [[nodiscard]] std::byte* in(std::byte* memory) const;
};

/// Memory that a mock-up needs besides the buffers of the call.
struct ScratchDemand {
    UnitMemory first{};
    UnitMemory second{};
    std::size_t zeroed_bytes = 0;
    std::size_t packed_bytes = 0;
    int n_ints = 0;
};

/// That memory, allocated before the call. It may hold anything, except `zeroed`, which is zero before and after the
/// call.
struct Scratch {
    std::byte* first = nullptr; ///< the address for MPI
    std::byte* second = nullptr;
    std::byte* zeroed = nullptr;
    std::byte* packed = nullptr;
    int* ints = nullptr;
};

/// Of the messages that a mock-up sends itself.
inline constexpr int message_tag = 0;

struct Algorithm {
    std::string_view name; ///< also of the file
    std::string_view summary;
    std::string_view stands_for; ///< the operation that it computes
    std::string_view guideline;  ///< GL3, ...; empty: a further one
    ScratchDemand (*needs)(const Arguments&);
    int (*call)(const Arguments&, const Scratch&); ///< returns MPI's code
    bool is_padded = false;    ///< moves p whole blocks also where the message does not fall into them
    bool moves_bytes = false;  ///< counts in bytes what the collective counts in units
    bool is_substitute = true; ///< MPI promises of it all that it promises of the collective
};

/// Units of each of p equal blocks that together hold `n`: the last ones may be padding.
[[nodiscard]] constexpr int padded_block(int n, int n_ranks) {
    return static_cast<int>((std::int64_t{n} + n_ranks - 1) / n_ranks);
}

/// Units of these p blocks.
[[nodiscard]] constexpr std::int64_t whole_blocks(int n, int n_ranks) {
    return std::int64_t{padded_block(n, n_ranks)} * n_ranks;
}

[[nodiscard]] constexpr bool divides(int n, int n_ranks) { return n % n_ranks == 0; }

/// A message with whole blocks behind it, copied to `to`. The padding repeats the first unit: so operators see
/// only data of the program.
int copy_padded(std::byte* to, const Arguments& arguments, const Scratch& scratch);

/// The unit with which this rank's block of MPI_Reduce_scatter begins.
[[nodiscard]] int first_of_own_block(const Arguments& arguments);
/// Units of all its blocks.
[[nodiscard]] int total_of_blocks(const Arguments& arguments);

// All mock-ups, listed in registry.cpp.

[[nodiscard]] std::span<const Algorithm* const> all();

/// Of this name; null: there is none.
[[nodiscard]] const Algorithm* find(std::string_view name);

} // namespace ictus::mockup
