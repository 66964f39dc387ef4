// How long the computation of a case of the study of overlap has to be.
#pragma once

#include "measure/launch_context.hpp"
#include "study/overlap.hpp"
#include "study/progress_thread.hpp"
#include "workload/operation/operation.hpp"

#include <vector>

namespace ictus {

/// The slowest rank of each repetition, on every rank. Collective.
[[nodiscard]] std::vector<double> slowest(Transport& transport, std::vector<double> durations);

/// Warm-ups, and then as many calls that tell a procsync how much room a start needs: begun by our own barrier, the
/// median of what the slowest rank takes. Seconds. Collective.
[[nodiscard]] double warm_up(LaunchContext& context, const CasePlan& one, Operation& operation);

/// A computation of that length outlasts nine tenths of these blocking times, not only the middle one. Not empty.
[[nodiscard]] double enough_to_hide(std::vector<double> blocking_s);

// One case of the study of overlap.

/// Collective. `thread` is null without a progress thread of our own; it is paused but in what overlaps.
[[nodiscard]] OverlapCase measure_overlap(LaunchContext& context, const OverlapPlan& plan, const CasePlan& one,
                                          ProgressThread* thread);

} // namespace ictus
