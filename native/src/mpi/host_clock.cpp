#include "mpi/host_clock.hpp"

#include "base/error.hpp"
#include "mpi/check.hpp"

#include <exception>

namespace ictus::mpi {
namespace {

/// What the first rank of a host tells the others.
struct Decision {
    double frequency_hz = 0.0;
    std::int64_t epoch = 0;
    std::int64_t made = 0;
};

} // namespace

std::unique_ptr<Clock> make_host_clock(const Bound& bound, const Topology& topology, int rank) {
    ClockPlace place{.rank = rank, .host = topology.host_leader, .yields = topology.oversubscribed};
    std::unique_ptr<Clock> clock;
    std::exception_ptr failure; // the others wait for the decision, whatever happens here
    Decision decision;
    if (rank == topology.host_leader) {
        try {
            clock = clock::registry().make(bound, place);
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
    place.frequency_hz = decision.frequency_hz;
    place.epoch = decision.epoch;
    return clock ? std::move(clock) : clock::registry().make(bound, place);
}

} // namespace ictus::mpi
