#include "machine/contention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus::record {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Largest known share; NaN if none is known (fmax passes over NaN).
double largest(std::span<const double> shares) {
    double result = nan;
    for (const double share : shares) {
        result = std::fmax(result, share);
    }
    return result;
}

const CpuCounters* find_cpu(const std::vector<CpuCounters>& cpus, int cpu) {
    const auto found = std::find_if(cpus.begin(), cpus.end(), [&](const CpuCounters& c) { return c.cpu == cpu; });
    return found == cpus.end() ? nullptr : &*found;
}

} // namespace

double run_queue_share(const Snapshot& begin, const Snapshot& end) {
    const double elapsed_s = end.monotonic_s - begin.monotonic_s;
    if (!begin.scheduler || !end.scheduler || !(elapsed_s > 0.0)) {
        return nan;
    }
    return (end.scheduler->run_queue_delay_s - begin.scheduler->run_queue_delay_s) / elapsed_s;
}

double steal_share(const Snapshot& begin, const Snapshot& end) {
    const double elapsed_s = end.monotonic_s - begin.monotonic_s;
    if (!end.cpus_allowed || !(elapsed_s > 0.0)) {
        return nan;
    }
    double share = nan;
    for (const int cpu : *end.cpus_allowed) {
        const CpuCounters* const before = find_cpu(begin.cpus, cpu);
        const CpuCounters* const after = find_cpu(end.cpus, cpu);
        if (before != nullptr && after != nullptr) {
            const std::int64_t certain_ticks = std::max<std::int64_t>(0, after->steal_ticks - before->steal_ticks - 1);
            share = std::fmax(share, static_cast<double>(certain_ticks) * end.tick_s / elapsed_s);
        }
    }
    return share;
}

Contention contention_verdict(std::span<const double> run_queue_shares, std::span<const double> steal_shares,
                              bool oversubscribed) {
    const double run_queue = largest(run_queue_shares);
    const double steal = largest(steal_shares);
    const double share = std::fmax(run_queue, steal);
    std::optional<bool> contended;
    if (oversubscribed) {
        contended = false;
    } else if (!std::isnan(share)) {
        contended = share > contention_threshold;
    }
    return {run_queue, steal, share, oversubscribed, contended};
}

} // namespace ictus::record
