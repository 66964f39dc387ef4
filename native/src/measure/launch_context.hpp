// Everything that the cases of a launch share: ranks, clock, transport, global time, and the groups that call together.
#pragma once

#include "base/parameter.hpp"
#include "clock/clock.hpp"
#include "clock/step_watch.hpp"
#include "clocksync/clocksync.hpp"
#include "clocksync/domains.hpp"
#include "machine/lease.hpp"
#include "measure/plan.hpp"
#include "mpi/handles.hpp"
#include "mpi/hosts.hpp"
#include "mpi/mpi_transport.hpp"
#include "mpi/session.hpp"
#include "procsync/procsync.hpp"
#include "transport/global_clock.hpp"
#include "transport/transport.hpp"
#include "workload/cache.hpp"

#include <map>
#include <span>
#include <string>

namespace ictus {

/// The ranks that call an operation together, as one of them sees it. A member of family `comm` makes the groups. A
/// rank without a group calls nothing, but it synchronises and keeps its records.
struct CallGroup {
    mpi::Communicator comm; ///< none where the rank takes no part
    int group = 0;
    int rank = 0;      ///< in its group
    int size = 0;      ///< of every group
    int n_callers = 0; ///< ranks in all groups

    [[nodiscard]] bool takes_part() const { return comm.handle() != MPI_COMM_NULL; }
};

/// Collective over `world`, whose ranks are at `locations`. Throws the same usage Error on all ranks if the launch has
/// too few ranks.
[[nodiscard]] CallGroup make_call_group(const Bound& communicator, MPI_Comm world,
                                        std::span<const RankLocation> locations);

class LaunchContext {
public:
    LaunchContext(const mpi::Session& session, const LaunchPlan& plan);

    [[nodiscard]] int rank() const { return session_.rank(); }
    [[nodiscard]] int size() const { return session_.size(); }
    [[nodiscard]] bool is_root() const { return rank() == 0; }
    /// The group of this rank. The first call for a communicator is collective and makes the groups.
    [[nodiscard]] const CallGroup& call_group(const Bound& communicator);
    /// For reductions and gathers of our own.
    [[nodiscard]] MPI_Comm record_comm() const { return record_comm_.handle(); }
    [[nodiscard]] const mpi::HostTopology& topology() const { return topology_; }

    [[nodiscard]] Clock& clock() { return *clock_; }
    [[nodiscard]] Transport& transport() { return transport_; }
    /// The ranks that read one counter, as measured at the begin of the launch. An algorithm that needs this verifies
    /// it again.
    [[nodiscard]] const clocksync::Domains& domains() const { return domains_; }
    [[nodiscard]] GlobalClock& global_clock() { return global_clock_; }
    [[nodiscard]] ClockSync& clocksync() { return *clocksync_; }
    /// Throws a usage Error where the procsync cannot be used with this launch's clocks.
    [[nodiscard]] std::unique_ptr<ProcSync> make_start(const Bound& procsync);
    [[nodiscard]] const CacheContext& cache_context() const { return cache_context_; }
    /// Throws on rank 0 where the runner has gone: nobody would keep what is measured.
    void require_runner();
    /// Throws on a rank whose clock was set since the last call: no time of the launch is right then.
    void require_no_step(const std::string& during) { step_watch_.require_no_step(during); }

private:
    const mpi::Session& session_;
    mpi::Communicator record_comm_;
    mpi::HostTopology topology_;
    std::unique_ptr<Clock> clock_;
    StepWatch step_watch_{*clock_};
    mpi::MpiTransport transport_;
    clocksync::Domains domains_;
    GlobalClock global_clock_;
    std::unique_ptr<ClockSync> clocksync_;
    CacheContext cache_context_;
    machine::Lease lease_{machine::lease_file};
    std::map<std::string, CallGroup> call_groups_; ///< by the full form of the communicator
};

} // namespace ictus
