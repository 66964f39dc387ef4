// How long the computation of a case of the study of overlap has to be.
#pragma once

#include "measure/workplace.hpp"
#include "workload/operation/operation.hpp"

#include <vector>

namespace ictus {

/// The slowest rank of each repetition, on every rank. Collective.
[[nodiscard]] std::vector<double> slowest(Transport& transport, std::vector<double> durations);

/// Warm-ups, and then as many calls that tell a procsync how much room a start needs: begun by our own barrier, the
/// median of what the slowest rank takes. Seconds. Collective.
[[nodiscard]] double warm_up(Workplace& workplace, const CasePlan& one, Operation& operation);

/// A computation of that length outlasts nine tenths of these blocking times, not only the middle one. Not empty.
[[nodiscard]] double enough_to_hide(std::vector<double> blocking_s);

} // namespace ictus
