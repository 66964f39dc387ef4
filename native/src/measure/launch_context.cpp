#include "measure/launch_context.hpp"

#include "base/defaults.hpp"
#include "machine/cpu.hpp"
#include "machine/cpu_set.hpp"
#include "mpi/handles.hpp"
#include "mpi/hosts.hpp"
#include "transport/control.hpp"
#include "workload/communicator.hpp"

#include <algorithm>
#include <numeric>

namespace ictus {
namespace {

/// Whether it is what the launcher made: a library may know more of that than of its parts.
bool is_world(const std::vector<std::vector<int>>& groups, std::size_t n_ranks) {
    std::vector<int> all(n_ranks);
    std::iota(all.begin(), all.end(), 0);
    return groups.front() == all;
}

} // namespace

CallGroup make_call_group(const Bound& communicator, MPI_Comm world, std::span<const RankLocation> locations) {
    const auto groups = communicator::registry().make(communicator)->groups(locations);
    int world_rank = 0;
    mpi::check(MPI_Comm_rank(world, &world_rank), "MPI_Comm_rank");
    CallGroup call_group;
    call_group.size = static_cast<int>(groups.front().size());
    call_group.n_callers = call_group.size * static_cast<int>(groups.size());
    bool takes_part = false;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const auto own = std::ranges::find(groups[group], world_rank);
        if (own != groups[group].end()) {
            takes_part = true;
            call_group.group = static_cast<int>(group);
            call_group.rank = static_cast<int>(own - groups[group].begin());
        }
    }
    call_group.comm = is_world(groups, locations.size())
                          ? mpi::Communicator::duplicate(world)
                          : mpi::Communicator::part(world, takes_part, call_group.group, call_group.rank);
    return call_group;
}

namespace {

/// Twice, so that counters of different rates are found too: 20 ms do not matter here.
constexpr clocksync::DomainCheck thorough{.exchanges = 20, .apart_s = 0.02};

/// Collective: the last private cache of each rank's core, the largest of them, so that all ranks use one size.
CacheContext find_cache(Transport& transport) {
    std::optional<std::uint64_t> own;
    if constexpr (!is_simulated) {
        own = machine::last_private_cache(machine::SystemTree(), machine::current_cpu().value_or(0));
        own = own ? own : machine::second_level_cache();
    }
    const auto largest = static_cast<std::uint64_t>(control::largest(transport, static_cast<double>(own.value_or(0))));
    return {largest > 0 ? std::optional(largest) : std::nullopt};
}

} // namespace

LaunchContext::LaunchContext(const mpi::Session& session, const LaunchPlan& plan)
    : session_(session), record_comm_(mpi::Communicator::duplicate(MPI_COMM_WORLD)),
      topology_(mpi::read_topology(record_comm_.handle())),
      clock_(mpi::make_host_clock(plan.clock, topology_, session.rank())),
      transport_(record_comm_.handle(), *clock_,
                 mpi::claim_domains(topology_, record_comm_.handle(), plan.clock_domain, *clock_)),
      domains_(clocksync::find_domains(transport_, thorough)), global_clock_(transport_),
      clocksync_(clocksync::registry().make(plan.clocksync)), cache_context_(find_cache(transport_)) {}

std::unique_ptr<ProcSync> LaunchContext::make_start(const Bound& procsync) {
    return procsync::registry().make(procsync, {transport_, global_clock_, clocksync_->synchronises()});
}

void LaunchContext::require_runner() {
    if (is_root() && lease_.lapsed()) {
        throw measurement_error("the run that started this launch no longer runs: it does not renew its lease");
    }
}

const CallGroup& LaunchContext::call_group(const Bound& communicator) {
    const std::string text = to_string(communicator.spec());
    const auto known = call_groups_.find(text);
    if (known != call_groups_.end()) {
        return known->second;
    }
    return call_groups_.emplace(text, make_call_group(communicator, MPI_COMM_WORLD, transport_.locations()))
        .first->second;
}

} // namespace ictus
