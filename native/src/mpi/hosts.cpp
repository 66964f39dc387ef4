#include "mpi/hosts.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <exception>
#include <fstream>
#include <sched.h>
#include <string>

namespace ictus::mpi {
namespace {

/// The number of cores that the ranks of one host may use together. 0 where the kernel does not know it, and for
/// simulated hosts.
int usable_cores(const Communicator& host) {
    if constexpr (is_simulated) {
        return 0;
    }
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        CPU_ZERO(&allowed);
    }
    cpu_set_t together;
    check(MPI_Allreduce(&allowed, &together, static_cast<int>(sizeof allowed), MPI_BYTE, MPI_BOR, host.handle()),
          "MPI_Allreduce");
    return CPU_COUNT(&together);
}

/// The package of the cores that this rank may use; 0 where there are several, or the kernel does not know it.
int own_socket() {
    if constexpr (is_simulated) {
        return 0;
    }
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return 0;
    }
    int socket = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (!CPU_ISSET(cpu, &allowed)) {
            continue;
        }
        int package = 0;
        std::ifstream("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/physical_package_id") >> package;
        if (socket >= 0 && socket != package) {
            return 0;
        }
        socket = package;
    }
    return std::max(socket, 0);
}

std::vector<RankLocation> gather_locations(MPI_Comm comm, int host) {
    static_assert(sizeof(RankLocation) == 3 * sizeof(int));
    const RankLocation own{host, own_socket(), host};
    int size = 0;
    check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    std::vector<RankLocation> locations(static_cast<std::size_t>(size));
    check(MPI_Allgather(&own, 3, MPI_INT, locations.data(), 3, MPI_INT, comm), "MPI_Allgather");
    return locations;
}

} // namespace

HostTopology read_topology(MPI_Comm comm) {
    HostTopology topology;
    topology.host = Communicator::same_host(comm);
    check(MPI_Comm_rank(comm, &topology.host_leader), "MPI_Comm_rank");
    check(MPI_Bcast(&topology.host_leader, 1, MPI_INT, 0, topology.host.handle()), "MPI_Bcast");
    topology.n_host_ranks = topology.host.size();
    topology.locations = gather_locations(comm, topology.host_leader);
    const int cores = usable_cores(topology.host);
    int over = cores > 0 && topology.n_host_ranks > cores ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &over, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    topology.oversubscribed = over != 0;
    return topology;
}

DomainClaim parse_domain_claim(std::string_view text) {
    if (text == "auto") {
        return DomainClaim::automatic;
    }
    if (text == "host") {
        return DomainClaim::host;
    }
    if (text == "rank") {
        return DomainClaim::rank;
    }
    throw usage_error("clock domain '" + std::string(text) + "' is not one of auto host rank");
}

std::vector<RankLocation> claim_domains(const HostTopology& topology, MPI_Comm comm, DomainClaim claim,
                                        const Clock& clock) {
    const int own =
        claim == DomainClaim::host || (claim == DomainClaim::automatic && clock.is_common_to_host()) ? 1 : 0;
    std::vector<RankLocation> locations = topology.locations;
    std::vector<int> common(locations.size());
    check(MPI_Allgather(&own, 1, MPI_INT, common.data(), 1, MPI_INT, comm), "MPI_Allgather");
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        const int host = locations[rank].host; // named by its first rank
        locations[rank].domain = common[static_cast<std::size_t>(host)] != 0 ? host : static_cast<int>(rank);
    }
    return locations;
}

namespace {

/// The message of the first rank of a host to the others.
struct HostClockDecision {
    double frequency_hz = 0.0;
    std::int64_t epoch = 0;
    std::int64_t made = 0;
};

} // namespace

std::unique_ptr<Clock> make_host_clock(const Bound& bound, const HostTopology& topology, int rank) {
    ClockContext context{.rank = rank, .host = topology.host_leader, .yields = topology.oversubscribed};
    std::unique_ptr<Clock> clock;
    std::exception_ptr failure; // the others wait for the decision, whatever happens here
    HostClockDecision decision;
    if (rank == topology.host_leader) {
        try {
            clock = clock::registry().make(bound, context);
            decision = {clock->frequency_hz(), clock->epoch(), 1};
        } catch (const Error&) {
            failure = std::current_exception();
        }
    }
    check(MPI_Bcast(&decision, static_cast<int>(sizeof decision), MPI_BYTE, 0, topology.host.handle()), "MPI_Bcast");
    if (failure) {
        std::rethrow_exception(failure);
    }
    if (decision.made == 0) {
        throw measurement_error("rank " + std::to_string(topology.host_leader) +
                                ", the first of this host, could not make its clock");
    }
    context.frequency_hz = decision.frequency_hz;
    context.epoch = decision.epoch;
    return clock ? std::move(clock) : clock::registry().make(bound, context);
}

} // namespace ictus::mpi
