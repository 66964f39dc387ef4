// Counters that only grow, read at the beginning and at the end of a launch and subtracted: who had to wait for a CPU,
// and how long.
#pragma once

#include "machine/system_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ictus::machine {

/// The scheduler's counters of this process' main thread.
struct SchedulerCounters {
    double cpu_time_s = 0.0;
    double run_queue_delay_s = 0.0; ///< ready to run, but somebody else had the CPU
};

/// The kernel's counters of one CPU, in its ticks.
struct CpuCounters {
    int cpu = 0;
    std::int64_t busy_ticks = 0;  ///< running anything at all
    std::int64_t steal_ticks = 0; ///< ready to run, but the hypervisor gave the CPU to another machine
};

/// The system's counters of this process.
struct ResourceCounters {
    std::int64_t max_rss_bytes = 0; ///< largest so far
    std::int64_t voluntary_switches = 0;
    std::int64_t involuntary_switches = 0;
    std::int64_t page_faults = 0; ///< pages that the kernel had to give, read from a disk or not
};

/// /proc/self/schedstat. Absent where the kernel was built without it; some kernels then show zeros.
[[nodiscard]] std::optional<SchedulerCounters> read_scheduler_counters(const SystemTree& tree);
/// The lines of single CPUs in /proc/stat; empty where unreadable.
[[nodiscard]] std::vector<CpuCounters> read_cpu_counters(const SystemTree& tree);
[[nodiscard]] std::optional<ResourceCounters> read_resource_counters();

/// All counters at one moment, with the CPU of the rank.
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

// Did others use our CPUs? Arithmetic on counters only; the readers are in counters.hpp.
//
// The load average answers another question: our own spinning ranks raise it, and it forgets over minutes. A rank's
// run-queue delay is the time in which it was ready to run and could not; steal is the same one level down, when the
// hypervisor ran somebody else.

/// Above this share of the launch another process used a rank's CPU. On a quiet machine the kernel's housekeeping costs
/// a spinning rank less than half a per cent (0.03 to 0.4 % measured on two virtual CPUs), while one foreign process
/// that computes on the same CPU takes half of it, and a compiler that comes and goes some 5 to 20 %: 3 % lies between
/// the two with room on both sides.
inline constexpr double contention_threshold = 0.03;

struct Contention {
    double run_queue_share; ///< largest over the ranks; NaN where no rank could tell
    double steal_share;     ///< likewise
    double share;           ///< the larger of both
    bool oversubscribed;
    std::optional<bool> contended; ///< absent where nothing could be read, never a guess
};

/// Share of the time between two snapshots that the rank waited for its CPU; NaN where unknown.
[[nodiscard]] double run_queue_share(const Snapshot& begin, const Snapshot& end);

/// Largest share of steal on a CPU that the rank was allowed to run on at the end; NaN where unknown. Both readings are
/// cut to whole ticks (10 ms), so one tick less than their difference is certain, and only that counts, so that
/// rounding does not mark a short launch.
[[nodiscard]] double steal_share(const Snapshot& begin, const Snapshot& end);

/// Judges a launch from every rank's shares (NaN = unknown). Ranks that outnumber their CPUs make each other wait,
/// which their counters cannot distinguish from foreign load: such a launch is marked oversubscribed and never
/// contended.
[[nodiscard]] Contention contention_verdict(std::span<const double> run_queue_shares,
                                            std::span<const double> steal_shares, bool oversubscribed);

} // namespace ictus::machine
