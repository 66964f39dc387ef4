// The record of a launch besides its cases: its origin, the machine, the clock domains.
#pragma once

#include "machine/factors.hpp"
#include "measure/launch_context.hpp"
#include "record/launch_json.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ictus {

/// Warnings at the begin of a launch: ranks that do not read the counter that --clock-domain claims for them.
[[nodiscard]] std::vector<std::string> opening_domain_remarks(LaunchContext& context);

/// Collective, at the end of a launch: verifies the clock domains once more. Two counters of different rates that
/// agreed at the begin differ by now. The stamps are still right, because each block measures the clocks again; windows
/// are not, because they use the model from before the block.
[[nodiscard]] std::vector<std::string> closing_domain_remarks(LaunchContext& context);

/// The record of a launch before the first measurement. All ranks call it; only the record of rank 0 is written.
[[nodiscard]] record::LaunchRecord launch_provenance(LaunchContext& context, const LaunchPlan& plan);

/// The state of the machine in a launch: counters at the begin and at the end, gathered on rank 0.
class Factors {
public:
    /// Before anything is measured: finds out what becomes of freed memory, and reads the counters.
    explicit Factors(const LaunchContext& context);

    /// Collective: reads them again; rank 0's `launch` receives ranks, hosts, environment, contention and warnings.
    void finish(LaunchContext& context, record::LaunchRecord& launch) const;

private:
    std::optional<bool> keeps_freed_memory_;
    machine::SystemTree tree_;
    machine::Snapshot begin_;
    std::optional<machine::HostFactors> host_; ///< on the first rank of each host
};

} // namespace ictus
