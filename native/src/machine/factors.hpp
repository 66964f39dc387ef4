// What is read from the machine for each rank and for each host.
#pragma once

#include "machine/counters.hpp"
#include "machine/cpu.hpp"
#include "machine/host.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::record {
class JsonWriter;
}

namespace ictus::machine {

/// The numbers among the facts that differ between ranks, sent to rank 0 as plain bytes.
struct RankNumbers {
    int rank = 0;
    std::int64_t pid = 0;
    std::optional<std::int64_t> epoch_ticks; ///< reading of its counter that its local times count from
    std::optional<int> cpu;                  ///< at the end of the measurement
    std::optional<double> cpu_time_s;        ///< between the snapshots, as are all counts below but the memory
    std::optional<double> run_queue_delay_s;
    double elapsed_s = 0.0;
    std::optional<std::int64_t> max_rss_bytes;
    std::optional<std::int64_t> voluntary_switches;
    std::optional<std::int64_t> involuntary_switches;
    std::optional<std::int64_t> page_faults;
    std::optional<bool> keeps_freed_memory; ///< workload/heap.hpp; absent where unknown
};

/// What differs from rank to rank: where the rank ran, which CPUs it may use, and what delayed it.
struct RankFactors : RankNumbers {
    std::string host;                  ///< by its own name: ranks with one name may share memory
    std::string node;                  ///< by the name that the batch system calls it; else that of the host
    std::string cpus_allowed{unknown}; ///< as "0-3,8"
};

[[nodiscard]] RankFactors rank_factors(int rank, const std::string& host, const Snapshot& begin, const Snapshot& end);

/// What a rank sends to rank 0, and what rank 0 reads from it: both have the same core.
[[nodiscard]] std::string to_message(const RankFactors& factors);
[[nodiscard]] RankFactors rank_from_message(std::string_view message);

/// Members of the open object, each a list with an entry a rank: "ranks" in the document of a study.
void write_columns(record::JsonWriter& json, std::span<const RankFactors> ranks);

/// Facts that all ranks of a host share. The lowest rank of the host reads them once.
struct HostFactors {
    int n_ranks = 0;
    HostFacts host;
    CpuFacts cpu;
    std::vector<CacheFact> caches; ///< of the first CPU; empty where the system does not tell
    ContainerFacts container;
    std::string library{unknown};  ///< the MPI library, in its own words; who measures knows it
    std::optional<double> steal_s; ///< over all CPUs, between the snapshots
    std::optional<double> busy_s;  ///< likewise, our own ranks included
};

/// What can be read before measuring; the load average in it is the one at the start.
[[nodiscard]] HostFactors read_host_factors(int n_ranks, const SystemTree& tree);
/// Fills in what was counted between the snapshots.
void add_counted(HostFactors& factors, const Snapshot& begin, const Snapshot& end);

/// The numbers that every host has for itself; NaN where the system does not tell.
struct HostNumbers {
    int n_ranks = 0;
    std::array<double, 3> load_average{}; ///< over 1, 5 and 15 minutes
    double steal_s = 0.0;
    double busy_s = 0.0;
};

/// A host as rank 0 keeps it: hosts of one kind have the same text there.
struct HostRecord : HostNumbers {
    std::string name;
    std::string kind; ///< JSON object: processor, caches, kernel, network, library
};

[[nodiscard]] HostRecord host_record(const HostFactors& factors);

/// What the first rank of a host sends to rank 0, and what rank 0 reads from it.
[[nodiscard]] std::string to_message(const HostRecord& host);
[[nodiscard]] HostRecord host_from_message(std::string_view message);

/// The kinds of hosts, each once, in the order of their first host.
[[nodiscard]] std::vector<std::string> kinds_of(std::span<const HostRecord> hosts);

/// Likewise "hosts": "kinds", and lists with an entry a host, of which "kind" is an index into the kinds.
void write_columns(record::JsonWriter& json, std::span<const HostRecord> hosts);

} // namespace ictus::machine
