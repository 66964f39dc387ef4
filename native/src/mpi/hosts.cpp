#include "mpi/hosts.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "machine/core_place.hpp"
#include "machine/cpu_set.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

namespace ictus::mpi {
namespace {

constexpr int bits_a_word = 64;

/// The number of cores that the ranks of one host may use together, on a host of any size. 0 where the kernel does not
/// know it, and for simulated hosts.
int usable_cores(const Communicator& host) {
    if constexpr (is_simulated) {
        return 0;
    }
    const std::vector<int> own = machine::allowed_cpus().value_or(std::vector<int>{});
    int n_words = own.empty() ? 0 : own.back() / bits_a_word + 1;
    check(MPI_Allreduce(MPI_IN_PLACE, &n_words, 1, MPI_INT, MPI_MAX, host.handle()), "MPI_Allreduce");
    if (n_words == 0) {
        return 0; // no rank of the host could ask its kernel
    }
    std::vector<std::uint64_t> allowed(static_cast<std::size_t>(n_words));
    for (const int cpu : own) {
        allowed[static_cast<std::size_t>(cpu / bits_a_word)] |= std::uint64_t{1} << (cpu % bits_a_word);
    }
    check(MPI_Allreduce(MPI_IN_PLACE, allowed.data(), n_words, MPI_UINT64_T, MPI_BOR, host.handle()), "MPI_Allreduce");
    return std::accumulate(allowed.begin(), allowed.end(), 0,
                           [](int sum, std::uint64_t word) { return sum + std::popcount(word); });
}

/// The socket of the cores that this rank may use; 0 where there are several, or the kernel does not know it.
int own_socket() {
    if constexpr (is_simulated) {
        return 0;
    }
    const std::vector<int> cpus = machine::allowed_cpus().value_or(std::vector<int>{});
    return machine::core_place(machine::SystemTree(), cpus).socket.value_or(0);
}

} // namespace

HostTopology read_topology(MPI_Comm comm) {
    HostTopology topology;
    topology.host = Communicator::same_host(comm);
    check(MPI_Comm_rank(comm, &topology.host_leader), "MPI_Comm_rank");
    check(MPI_Bcast(&topology.host_leader, 1, MPI_INT, 0, topology.host.handle()), "MPI_Bcast");
    topology.n_host_ranks = topology.host.size();
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

RankLocations claim_domains(const HostTopology& topology, MPI_Comm comm, DomainClaim claim, const Clock& clock) {
    int rank = 0;
    check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    int common = claim == DomainClaim::host || (claim == DomainClaim::automatic && clock.is_common_to_host()) ? 1 : 0;
    check(MPI_Bcast(&common, 1, MPI_INT, 0, topology.host.handle()), "MPI_Bcast");
    const int host = topology.host_leader;
    return {comm, topology.host, {host, own_socket(), common != 0 ? host : rank}};
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
                                ", the first of this host, could not set up its clock");
    }
    context.frequency_hz = decision.frequency_hz;
    context.epoch = decision.epoch;
    return clock ? std::move(clock) : clock::registry().make(bound, context);
}

} // namespace ictus::mpi
