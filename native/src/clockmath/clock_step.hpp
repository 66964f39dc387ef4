// Whether the time of day was set, and a clock with it. The time of day and CLOCK_MONOTONIC run at one rate, also while
// a time service slews them, so that a change of their difference is a step (NTP, settimeofday, a leap second).
#pragma once

#include <cstdint>

namespace ictus {

/// What is read at one moment, in nanoseconds.
struct StepReading {
    std::int64_t monotonic_ns = 0; ///< the middle of two readings
    std::int64_t width_ns = 0;     ///< between these two
    std::int64_t day_ns = 0;
    std::int64_t clock_ns = 0; ///< the clock that is watched
};

/// By how much the time of day was stepped between two readings and took the clock along, in seconds; 0: not at all, or
/// by less than 50 us and 20 us a second, by which some virtual machines err.
[[nodiscard]] double step_between(const StepReading& before, const StepReading& now);

} // namespace ictus
