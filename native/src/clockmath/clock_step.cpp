#include "clockmath/clock_step.hpp"

#include <cstdlib>

namespace ictus {
namespace {

/// Some virtual machines and sandboxes calibrate the two clocks apart.
constexpr std::int64_t tolerance_ns = 50'000;
constexpr double tolerated_drift = 20e-6;

} // namespace

double step_between(const StepReading& before, const StepReading& now) {
    const std::int64_t passed = now.monotonic_ns - before.monotonic_ns;
    const std::int64_t day = now.day_ns - before.day_ns - passed;
    const std::int64_t clock = now.clock_ns - before.clock_ns - passed;
    const double tolerated = static_cast<double>(tolerance_ns + before.width_ns + now.width_ns) +
                             tolerated_drift * static_cast<double>(passed);
    if (static_cast<double>(std::abs(day)) <= tolerated) {
        return 0.0;
    }
    const bool follows = std::abs(clock - day) < std::abs(clock); // nearer to the time of day than to no step
    return follows ? static_cast<double>(day) * 1e-9 : 0.0;
}

} // namespace ictus
