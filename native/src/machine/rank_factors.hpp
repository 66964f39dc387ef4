// What differs from rank to rank: where it ran, on which CPUs it was allowed to, and what it was kept waiting for.
#pragma once

#include "machine/counters.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ictus::record {

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
    std::optional<bool> keeps_freed_memory; ///< record/heap.hpp; absent where unknown
};

[[nodiscard]] RankFactors rank_factors(int rank, const std::string& host, const Snapshot& begin, const Snapshot& end);

/// One object on one line: an entry of "ranks" in launch.json, sent to rank 0 as it is.
[[nodiscard]] std::string to_json(const RankFactors& factors);

} // namespace ictus::record
