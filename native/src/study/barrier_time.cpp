#include "study/barrier_time.hpp"

#include "base/summary.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {

BarrierTime measure_barrier(Transport& transport, std::uint64_t calls) {
    constexpr int warm_ups = 10;
    for (int i = 0; i < warm_ups && calls > 0; ++i) {
        transport.library_barrier();
    }
    std::vector<double> durations;
    for (std::uint64_t i = 0; i < calls; ++i) {
        const LocalTime begin = transport.now();
        transport.library_barrier();
        durations.push_back(transport.now() - begin);
    }
    control::reduce(transport, std::span(durations), [](double& into, double from) { into = std::max(into, from); });
    const Summary summary = summarise(durations);
    return {calls, summary.mean, summary.median};
}

} // namespace ictus
