#include "study/overlap_pilot.hpp"

#include "barrier/barrier.hpp"
#include "base/summary.hpp"
#include "mpi/check.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {

std::vector<double> slowest(Transport& transport, std::vector<double> durations) {
    control::reduce(transport, std::span<double>(durations),
                    [](double& into, double from) { into = std::max(into, from); });
    control::broadcast(transport, std::as_writable_bytes(std::span<double>(durations)));
    return durations;
}

double warm_up(Workplace& workplace, const CasePlan& one, Operation& operation) {
    Transport& transport = workplace.transport();
    const auto barrier = barrier::registry().make(bind(barrier::family(), {"dissemination", {}}));
    const std::uint64_t n = std::max<std::uint64_t>(1, one.warmup);
    std::vector<double> latencies;
    for (std::uint64_t i = 0; i < 2 * n; ++i) {
        barrier->wait(transport);
        const LocalTime start = transport.now();
        mpi::check(operation.call(), "a warm-up call");
        if (i >= n) {
            latencies.push_back(transport.now() - start);
        }
    }
    return summarise(slowest(transport, std::move(latencies))).median;
}

double enough_to_hide(std::vector<double> blocking_s) {
    constexpr double share = 0.9;
    std::ranges::sort(blocking_s);
    return quantile(blocking_s, share);
}

} // namespace ictus
