// Computation to overlap with communication: a number of units of work, the same in every run, cut into pieces between
// progress calls. Hoefler, Schneider and Lumsdaine 2008, sec. 4 (where a workload is a lambda).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ictus {

/// How the length of the computation between start and wait is given.
enum class ComputationKind {
    none, ///< the operation is completed at once
    time, ///< until the clock says so
    work, ///< a fixed number of units, however long they take
};

[[nodiscard]] std::string_view to_string(ComputationKind kind);

/// `units` steps of a chain in registers, each needing the one before: a few cycles a unit and no memory.
void work(std::uint64_t units);

/// The progress calls of a computation: one at its start, one at its end, the others evenly between; a single one is at
/// the start.
struct ProgressCalls {
    std::uint64_t n = 0;

    /// One for each whole interval of the message, and one more; none without an interval.
    [[nodiscard]] static constexpr ProgressCalls every(std::optional<std::uint64_t> interval_bytes,
                                                       std::uint64_t size_bytes) {
        return {interval_bytes ? size_bytes / *interval_bytes + 1 : 0};
    }
    /// Pieces that the computation is cut into.
    [[nodiscard]] constexpr std::uint64_t pieces() const { return n < 2 ? 1 : n - 1; }
    /// Piece `i` of `total`: they differ by at most one and add up.
    [[nodiscard]] constexpr std::uint64_t piece(std::uint64_t total, std::uint64_t i) const {
        const std::uint64_t whole = total / pieces();
        return whole + (i < total % pieces() ? 1 : 0);
    }
};

} // namespace ictus
