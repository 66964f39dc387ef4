// What all ranks of a host share. Read once per host, by its lowest rank.
#pragma once

#include "machine/caches.hpp"
#include "machine/container.hpp"
#include "machine/counters.hpp"
#include "machine/cpu.hpp"
#include "machine/host.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ictus::record {

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

} // namespace ictus::record
