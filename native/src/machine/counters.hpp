// Counters that only grow, read at the beginning and at the end of a launch and subtracted: who had to wait for a CPU,
// and how long.
#pragma once

#include "machine/system_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ictus::record {

/// What the scheduler says of this process' main thread.
struct SchedulerCounters {
    double cpu_time_s = 0.0;
    double run_queue_delay_s = 0.0; ///< ready to run, but somebody else had the CPU
};

/// What the kernel says of one CPU, in its ticks.
struct CpuCounters {
    int cpu = 0;
    std::int64_t busy_ticks = 0;  ///< running anything at all
    std::int64_t steal_ticks = 0; ///< ready to run, but the hypervisor gave the CPU to another machine
};

/// What the system says of this process as a whole.
struct ResourceCounters {
    std::int64_t max_rss_bytes = 0; ///< largest so far
    std::int64_t voluntary_switches = 0;
    std::int64_t involuntary_switches = 0;
    std::int64_t page_faults = 0; ///< pages that the kernel had to give, read from a disk or not
};

/// /proc/self/schedstat. Absent where the kernel was built without it, which some kernels tell by zeros.
[[nodiscard]] std::optional<SchedulerCounters> read_scheduler_counters(const SystemTree& tree);
/// The lines of single CPUs in /proc/stat; empty where unreadable.
[[nodiscard]] std::vector<CpuCounters> read_cpu_counters(const SystemTree& tree);
[[nodiscard]] std::optional<ResourceCounters> read_resource_counters();

/// All of it at one moment, with where the rank was.
struct Snapshot {
    double monotonic_s = 0.0;
    std::optional<SchedulerCounters> scheduler;
    std::vector<CpuCounters> cpus;
    double tick_s = 0.01; ///< length of a tick of `cpus`
    std::optional<ResourceCounters> resources;
    std::optional<int> cpu;
    std::optional<std::vector<int>> cpus_allowed;
    std::int64_t pid = 0;
};

[[nodiscard]] Snapshot take_snapshot(const SystemTree& tree);

} // namespace ictus::record
