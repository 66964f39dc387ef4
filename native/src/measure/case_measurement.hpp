// One case on one rank: validate, warm up, measure, top up.
#pragma once

#include "measure/stamp.hpp"
#include "measure/workplace.hpp"

#include <vector>

namespace ictus {

/// What a case left behind on this rank. Flags are already those of all ranks together.
struct MeasuredCase {
    const CasePlan* plan = nullptr;
    Extent extent;
    std::vector<Stamp> stamps;
    std::uint64_t valid = 0;
    double window_s = 0.0; ///< NaN where there is none
    LocalTime started;
    LocalTime ended;
};

/// Collective.
[[nodiscard]] MeasuredCase measure_case(Workplace& workplace, const CasePlan& plan, bool validate, std::uint64_t seed);

} // namespace ictus
