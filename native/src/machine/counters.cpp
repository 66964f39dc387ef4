#include "machine/counters.hpp"

#include "base/defaults.hpp"
#include "base/summary.hpp"
#include "machine/cpu_set.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

namespace ictus::machine {
namespace {

constexpr double ns = 1e-9;

/// "cpu3 user nice system idle iowait irq softirq steal guest guest_nice"; guest time is part of user time already.
std::optional<CpuCounters> parse_cpu_line(std::string_view line) {
    constexpr std::size_t idle = 3;
    constexpr std::size_t iowait = 4;
    constexpr std::size_t steal = 7;
    const std::vector<std::string_view> parts = words(line);
    if (parts.size() <= steal + 1 || parts[0].substr(0, 3) != "cpu") {
        return std::nullopt;
    }
    const std::optional<std::int64_t> cpu = to_integer(parts[0].substr(3)); // absent on the line of the sum, "cpu"
    if (!cpu) {
        return std::nullopt;
    }
    CpuCounters counters;
    counters.cpu = static_cast<int>(*cpu);
    for (std::size_t field = 0; field <= steal; ++field) {
        const std::optional<std::int64_t> ticks = to_integer(parts[field + 1]);
        if (!ticks) {
            return std::nullopt;
        }
        if (field == steal) {
            counters.steal_ticks = *ticks;
        } else if (field != idle && field != iowait) {
            counters.busy_ticks += *ticks;
        }
    }
    return counters;
}

double monotonic_s() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * ns;
}

} // namespace

std::optional<SchedulerCounters> read_scheduler_counters(const SystemTree& tree) {
    const std::string content = tree.text("proc/self/schedstat").value_or("");
    const std::vector<std::string_view> parts = words(content);
    if (parts.size() < 3) {
        return std::nullopt;
    }
    const std::optional<std::int64_t> cpu_time = to_integer(parts[0]);
    const std::optional<std::int64_t> delay = to_integer(parts[1]);
    const std::optional<std::int64_t> slices = to_integer(parts[2]);
    // A process that reads this has run at least once: zero slices mean that the kernel does not count.
    if (!cpu_time || !delay || slices.value_or(0) == 0) {
        return std::nullopt;
    }
    return SchedulerCounters{static_cast<double>(*cpu_time) * ns, static_cast<double>(*delay) * ns};
}

std::vector<CpuCounters> read_cpu_counters(const SystemTree& tree) {
    const std::string content = tree.text("proc/stat").value_or("");
    std::vector<CpuCounters> cpus;
    for (const std::string_view line : lines(content)) {
        if (const std::optional<CpuCounters> counters = parse_cpu_line(line)) {
            cpus.push_back(*counters);
        }
    }
    return cpus;
}

std::optional<ResourceCounters> read_resource_counters() {
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return std::nullopt;
    }
#if defined(__APPLE__)
    constexpr std::int64_t rss_unit = 1;
#else
    constexpr std::int64_t rss_unit = 1024;
#endif
    return ResourceCounters{usage.ru_maxrss * rss_unit, usage.ru_nvcsw, usage.ru_nivcsw,
                            usage.ru_minflt + usage.ru_majflt};
}

Snapshot take_snapshot(const SystemTree& tree) {
    Snapshot snapshot;
    snapshot.monotonic_s = monotonic_s();
    snapshot.pid = getpid();
    if constexpr (is_simulated) { // what the machine did meanwhile did not disturb simulated ranks
        return snapshot;
    }
    snapshot.scheduler = read_scheduler_counters(tree);
    snapshot.cpus = read_cpu_counters(tree);
    if (const long ticks_per_s = sysconf(_SC_CLK_TCK); ticks_per_s > 0) {
        snapshot.tick_s = 1.0 / static_cast<double>(ticks_per_s);
    }
    snapshot.resources = read_resource_counters();
    snapshot.cpu = current_cpu();
    snapshot.cpus_allowed = allowed_cpus();
    return snapshot;
}

namespace {
/// Largest known share; NaN if none is known (fmax passes over NaN).
double largest(std::span<const double> shares) {
    double result = undefined;
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
        return undefined;
    }
    return (end.scheduler->run_queue_delay_s - begin.scheduler->run_queue_delay_s) / elapsed_s;
}

double steal_share(const Snapshot& begin, const Snapshot& end) {
    const double elapsed_s = end.monotonic_s - begin.monotonic_s;
    if (!end.cpus_allowed || !(elapsed_s > 0.0)) {
        return undefined;
    }
    double share = undefined;
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

} // namespace ictus::machine
