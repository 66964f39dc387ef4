// What is known of a launch before anything is measured.
#pragma once

#include "measure/workplace.hpp"
#include "record/launch_json.hpp"

namespace ictus {

/// On every rank, but only rank 0's is written down.
[[nodiscard]] record::LaunchRecord origin_of(Workplace& workplace, const LaunchPlan& plan);

} // namespace ictus
