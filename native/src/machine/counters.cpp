#include "machine/counters.hpp"

#include "base/simulated.hpp"
#include "machine/affinity.hpp"

#include <ctime>

#include <sys/resource.h>
#include <unistd.h>

namespace ictus::record {

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
    // A process that reads this has run at least once: no slice means that nobody counts.
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

} // namespace ictus::record
