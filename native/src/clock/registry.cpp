#include "clock/visit.hpp"

#include "base/summary.hpp"

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

namespace {

constexpr int runs = 41;
constexpr int readings = 100;

template <class ConcreteClock>
Fineness fineness_of(ConcreteClock& clock) {
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    std::vector<double> costs;
    for (int run = 0; run < runs; ++run) {
        const Ticks begin = clock.read();
        Ticks last = begin;
        for (int i = 0; i < readings; ++i) {
            const Ticks now = clock.read();
            if (now - last > 0) {
                shortest = std::min(shortest, now - last);
            }
            last = now;
        }
        costs.push_back(static_cast<double>(last - begin) / readings);
    }
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const bool stepped = shortest < std::numeric_limits<std::int64_t>::max(); // a simulated clock may stand still
    return {stepped ? static_cast<double>(shortest) / clock.frequency_hz() : unknown,
            summarise(costs).median / clock.frequency_hz()};
}

} // namespace

Fineness measure_fineness(Clock& clock) {
    Fineness fineness;
    visit(clock, [&](auto& concrete) { fineness = fineness_of(concrete); });
    return fineness;
}

} // namespace clock
} // namespace ictus
