// The tallies of all processes, added up for each communicator, and the report of them.
#pragma once

#include "preload/stand_in.hpp"

#include <span>
#include <vector>

namespace ictus::preload {

/// A communicator, summed over its processes.
struct CommunicatorRow {
    std::string name;
    std::uint64_t communicators = 0; ///< 1, but of those that are counted together
    std::uint64_t n_ranks = 0;
    std::uint64_t barriers = 0;    ///< a barrier of all its processes counts once
    std::uint64_t calls = 0;       ///< here once for each process
    std::uint64_t missed = 0;      ///< calls
    std::uint64_t kept = 0;        ///< barriers in the log
    std::uint64_t stride = 1;      ///< of them: every stride-th
    double bound_in_windows = 0.0; ///< of the worst global clock at the last barrier; NaN: nothing is proven
};

/// The part of one process in one communicator.
struct ProcessShare {
    int world_rank;
    std::size_t row;
    std::uint64_t kept; ///< exits that the process has logged; those behind the row's are of barriers that others lack
};

/// On rank 0; empty elsewhere.
struct BarrierAccount {
    std::vector<CommunicatorRow> rows; ///< MPI_COMM_WORLD first
    std::vector<ProcessShare> shares;  ///< of each process in turn, in the order of its tallies
    std::uint64_t left = 0;            ///< calls that were left to the library
};

/// The number of the row that sums up many communicators.
inline constexpr std::uint64_t together = ~std::uint64_t{0};

/// Collective over `world`.
[[nodiscard]] BarrierAccount gather_account(MPI_Comm world, std::span<const Tally> own, std::uint64_t left);

/// The larger of two bounds; one that is not proven is the largest.
[[nodiscard]] double weaker_bound(double a, double b);

/// `into` and one more, counted together.
void add_together(Tally& into, const Tally& one);

/// The report of the barriers, for people and for scripts.
struct BarrierReport {
    const PreloadSettings& settings;
    const BarrierAccount& account;
    int n_ranks;
    std::string library_version;
    std::string log_clock; ///< description of the log's clock; empty: exits are not logged
    double elapsed_s;      ///< from MPI_Init to MPI_Finalize; NaN while the program runs
};

/// preload.json (preload.md).
[[nodiscard]] std::string as_json(const BarrierReport& report);

/// Lines for standard error.
[[nodiscard]] std::vector<std::string> as_lines(const BarrierReport& report);

} // namespace ictus::preload
