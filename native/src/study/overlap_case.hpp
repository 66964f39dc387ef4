// One case of the study of overlap.
#pragma once

#include "measure/progress_thread.hpp"
#include "study/overlap.hpp"

namespace ictus {

/// Collective. `thread` is null without a progress thread of our own; it is paused but in what overlaps.
[[nodiscard]] OverlapCase measure_overlap(Workplace& workplace, const OverlapPlan& plan, const CasePlan& one,
                                          ProgressThread* thread);

} // namespace ictus
