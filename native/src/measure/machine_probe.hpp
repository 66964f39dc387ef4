// The probes of a launch: before the first case and at the end of each block, between all measurements.
#pragma once

#include "machine/probe.hpp"
#include "measure/launch_context.hpp"
#include "record/launch_json.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ictus {

class MachineProbe {
public:
    /// Collective. Ranks that share a core, or are simulated, have no state of their own: nothing is probed then.
    explicit MachineProbe(LaunchContext& context);

    /// Collective: probes unless that would take more of the launch, `elapsed_s` long so far, than is allowed. Rank 0's
    /// `launch` receives the result.
    void run(LaunchContext& context, int block, double elapsed_s, record::LaunchRecord& launch);

private:
    record::ProbeRecord probe(LaunchContext& context);
    machine::RoundTrips worst_neighbour(const mpi::Communicator& host);

    bool possible_;
    std::optional<machine::SharedSlots> slots_; ///< one for each rank of the host; absent on all of them or on none
    std::vector<std::byte> source_;
    std::vector<std::byte> target_;
    double spent_s_ = 0.0; ///< rank 0's
    bool first_ = true;
};

} // namespace ictus
