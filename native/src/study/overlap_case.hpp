// One case of the study of overlap: how long its computation must be, and its runs.
//
// The blocking time T_b (completed right after the begin) decides how long the computation is. Then all runs of a case,
// the blocking one included, take turns repetition by repetition, in random order, so that they meet the same
// conditions. Where T_b is longer there than the computation, the computation is made longer and the case is measured
// anew.
#pragma once

#include "measure/launch_context.hpp"
#include "record/sample_record.hpp"
#include "study/overlap_runs.hpp"
#include "study/progress_thread.hpp"

#include <cstdint>
#include <vector>

namespace ictus {

/// How each case is measured.
struct OverlapPlan {
    Bound procsync;
    std::vector<ComputationKind> computations;
    std::vector<std::uint64_t> intervals_bytes; ///< between progress calls; 0: no progress calls
    double compute_factor = 1.0;                ///< of T_b
    std::uint64_t nrep = 100;
    bool validate = true;
    std::uint64_t seed = 1;
};

/// Complete on rank 0 only.
struct OverlapCase {
    const CasePlan* plan = nullptr;
    Extent extent;
    double pilot_s = 0.0;         ///< 0.9 quantile of the pilot's blocking times
    double target_s = 0.0;        ///< required duration of the computation
    std::uint64_t lengthened = 0; ///< how often the case was measured anew, because T_b was longer
    std::uint64_t workload = 0;   ///< units, on all ranks; 0: no run of kind `work`
    std::vector<OverlapRun> runs; ///< the blocking one first
    std::vector<record::PhaseRecord> phases;
};

/// Collective. `thread` is null without a progress thread of our own; it runs only during overlapped runs.
[[nodiscard]] OverlapCase measure_overlap(LaunchContext& context, const OverlapPlan& plan, const CasePlan& one,
                                          ProgressThread* thread);

} // namespace ictus
