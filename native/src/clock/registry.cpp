#include "clock/visit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus {

Ticks Clock::to_ticks(LocalTime time) const { return {static_cast<std::int64_t>(std::ceil(time.s * frequency_hz()))}; }

namespace clock {

const Registry<Clock, const ClockPlace&>& registry() {
    static const Registry<Clock, const ClockPlace&> all{
        "clock", "where local time is read", {&tsc, &monotonic, &wtime, &skewed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

double measure_resolution(Clock& clock) {
    constexpr int readings = 4000;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    Ticks last = clock.now();
    for (int i = 0; i < readings; ++i) {
        const Ticks now = clock.now();
        if (now - last > 0) {
            shortest = std::min(shortest, now - last);
        }
        last = now;
    }
    return static_cast<double>(shortest) / clock.frequency_hz();
}

} // namespace clock
} // namespace ictus
