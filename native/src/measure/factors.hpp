// The factors of a launch that are read off the machine: counters at the begin and at the end, brought to rank 0.
#pragma once

#include "machine/host_factors.hpp"
#include "measure/workplace.hpp"
#include "record/launch_json.hpp"

#include <optional>

namespace ictus {

class Factors {
public:
    /// Before anything is measured: makes freed memory stay with the process, and reads the counters.
    explicit Factors(const Workplace& workplace);

    /// Collective: reads them again; rank 0's `launch` receives ranks, hosts, environment, contention and warnings.
    void finish(Workplace& workplace, record::LaunchRecord& launch) const;

private:
    std::optional<bool> keeps_freed_memory_;
    record::SystemTree tree_;
    record::Snapshot begin_;
    std::optional<record::HostFactors> host_; ///< on the first rank of each host
};

} // namespace ictus
