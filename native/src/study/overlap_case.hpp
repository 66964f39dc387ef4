// How long the computation of a case must be in the study of overlap.
#pragma once

#include "measure/launch_context.hpp"
#include "study/overlap.hpp"
#include "study/progress_thread.hpp"
#include "workload/operation/operation.hpp"

#include <vector>

namespace ictus {

/// The slowest rank of each repetition, on every rank. Collective.
[[nodiscard]] std::vector<double> slowest(Transport& transport, std::vector<double> durations);

/// Warm-ups, and then as many calls for the preparation of a procsync, started by our own barrier: the median duration
/// on the slowest rank, seconds. Collective.
[[nodiscard]] double warm_up(LaunchContext& context, const CasePlan& one, Operation& operation);

/// The 0.9 quantile: a computation of this length is longer than nine tenths of these blocking times. Not empty.
[[nodiscard]] double enough_to_hide(std::vector<double> blocking_s);

// One case of the study of overlap.

/// Collective. `thread` is null without a progress thread of our own; it runs only during overlapped runs.
[[nodiscard]] OverlapCase measure_overlap(LaunchContext& context, const OverlapPlan& plan, const CasePlan& one,
                                          ProgressThread* thread);

} // namespace ictus
