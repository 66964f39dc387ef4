// What is read off the machine for each rank and for each host.
#pragma once

#include "machine/counters.hpp"
#include "machine/cpu.hpp"
#include "machine/host.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ictus::machine {

/// What differs from rank to rank: where the rank ran, which CPUs it may use, and what delayed it.
struct RankFactors {
    int rank = 0;
    std::string host;
    std::int64_t pid = 0;
    std::optional<std::int64_t> epoch_ticks; ///< reading of its counter that its local times count from
    std::optional<int> cpu;                  ///< at the end of the measurement
    std::string cpus_allowed{unknown};       ///< as "0-3,8"
    std::optional<double> cpu_time_s;        ///< between the snapshots, as are all counts below but the memory
    std::optional<double> run_queue_delay_s;
    double elapsed_s = 0.0;
    std::optional<std::int64_t> max_rss_bytes;
    std::optional<std::int64_t> voluntary_switches;
    std::optional<std::int64_t> involuntary_switches;
    std::optional<std::int64_t> page_faults;
    std::optional<bool> keeps_freed_memory; ///< workload/heap.hpp; absent where unknown
};

[[nodiscard]] RankFactors rank_factors(int rank, const std::string& host, const Snapshot& begin, const Snapshot& end);

/// One object on one line: an entry of "ranks" in launch.json, sent to rank 0 as it is.
[[nodiscard]] std::string to_json(const RankFactors& factors);

/// What all ranks of a host share. The lowest rank of the host reads it once.
struct HostFactors {
    int n_ranks = 0;
    HostFacts host;
    CpuFacts cpu;
    std::vector<CacheFact> caches; ///< of the first CPU; empty where the system does not tell
    ContainerFacts container;
    std::optional<double> steal_s; ///< over all CPUs, between the snapshots
    std::optional<double> busy_s;  ///< likewise, our own ranks included
};

/// What can be read before measuring; the load average in it is the one at the start.
[[nodiscard]] HostFactors read_host_factors(int n_ranks, const SystemTree& tree);
/// Fills in what was counted between the snapshots.
void add_counted(HostFactors& factors, const Snapshot& begin, const Snapshot& end);

/// What a reader of the numbers should know about this host, in sentences for "warnings" in launch.json.
[[nodiscard]] std::vector<std::string> remarks(const HostFactors& factors);

/// One object on one line: an entry of "hosts" in launch.json, sent to rank 0 as it is.
[[nodiscard]] std::string to_json(const HostFactors& factors);

} // namespace ictus::machine
