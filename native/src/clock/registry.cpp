#include "clock/visit.hpp"

#include "base/hold.hpp"
#include "base/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus {

Ticks Clock::to_ticks(LocalTime time) const { return {static_cast<std::int64_t>(std::ceil(time.s * frequency_hz()))}; }

namespace clock {

const Registry<Clock, const ClockContext&>& registry() {
    static const Registry<Clock, const ClockContext&> all{
        "clock", "where a rank reads its local time", {&tsc, &monotonic, &wtime, &skewed}};
    return all;
}

const FamilyInfo& family() { return registry().info(); }

namespace {

constexpr int runs = 41;
constexpr int readings = 100;

template <class ConcreteClock>
ClockResolution fineness_of(ConcreteClock& clock) {
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::vector<double> costs;
    for (int run = 0; run < runs; ++run) {
        const Ticks begin = clock.read();
        for (int i = 1; i < readings; ++i) {
            auto reading = clock.look(); // nothing is computed of it, as in the timed window
            hold(reading);
        }
        Ticks last = clock.read();
        costs.push_back(static_cast<double>(last - begin) / readings);
        for (int i = 0; i < readings; ++i) {
            const Ticks now = clock.read();
            if (now - last > 0) {
                shortest = std::min(shortest, now - last);
            }
            last = now;
        }
    }
    const bool stepped = shortest < std::numeric_limits<std::int64_t>::max(); // a simulated clock may stand still
    return {stepped ? static_cast<double>(shortest) / clock.frequency_hz() : undefined,
            summarise(costs).median / clock.frequency_hz()};
}

} // namespace

ClockResolution measure_resolution(Clock& clock) {
    ClockResolution resolution;
    visit(clock, [&](auto& concrete) { resolution = fineness_of(concrete); });
    return resolution;
}

} // namespace clock
} // namespace ictus
