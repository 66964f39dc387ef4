// What the record of a launch says besides its cases: its origin, the machine, the clock domains.
#pragma once

#include "machine/factors.hpp"
#include "measure/launch_context.hpp"
#include "record/launch_json.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ictus {

// What to say of ranks that do not read the counter that they were said to read.

/// Of the claims that did not hold when the launch began.
[[nodiscard]] std::vector<std::string> opening_domain_remarks(LaunchContext& context);

/// Collective, at the end of a launch: the domains of its beginning are verified once more. Counters of different rates
/// that met then have parted by now. Clocks were measured again after each block, so the stamps are mapped by what was
/// found; windows, which rest on the model known beforehand, were missed.
[[nodiscard]] std::vector<std::string> closing_domain_remarks(LaunchContext& context);

// What is known of a launch before anything is measured.

/// On every rank, but only rank 0's is written down.
[[nodiscard]] record::LaunchRecord launch_provenance(LaunchContext& context, const LaunchPlan& plan);

// The factors of a launch that are read off the machine: counters at the begin and at the end, brought to rank 0.

class Factors {
public:
    /// Before anything is measured: makes freed memory stay with the process, and reads the counters.
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
