// The runs of a case of the study of overlap, and how long their computation must be. No MPI.
#pragma once

#include "study/computation.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

/// One variant of a case.
struct OverlapRun {
    ComputationKind kind = ComputationKind::none;
    std::vector<std::uint64_t> intervals_bytes; ///< all that lead to these progress calls; empty: none
    ProgressCalls tests;

    std::uint64_t attempted = 0;
    std::uint64_t valid = 0;
    std::vector<double> compute_s; ///< on each rank: duration of the computation alone
    /// Means over the valid repetitions, on each rank: init, test, compute, wait, total.
    std::vector<std::vector<double>> mean_s;
};

/// The variants of a case that moves `size_bytes`, the blocking one first; an interval of 0 has no progress calls.
/// Intervals that lead to the same progress calls are one variant.
[[nodiscard]] std::vector<OverlapRun> runs_of(std::span<const ComputationKind> computations,
                                              std::span<const std::uint64_t> intervals_bytes, std::uint64_t size_bytes);

/// The 0.9 quantile: a computation of this length is longer than nine tenths of these blocking times. Not empty.
[[nodiscard]] double enough_to_hide(std::vector<double> blocking_s);

} // namespace ictus
