// From settings to the plan of a launch: names bound, lists combined, sizes that collapse onto one case merged.
#pragma once

#include "measure/plan.hpp"
#include "tool/command_line.hpp"

namespace ictus::tool {

/// Throws usage Errors. `notes` receives what a user should know, such as merged sizes.
[[nodiscard]] LaunchPlan make_plan(const LaunchRequest& request, int n_ranks, std::vector<std::string>& notes);

} // namespace ictus::tool
