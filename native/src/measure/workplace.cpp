#include "measure/workplace.hpp"

#include "mpi/check.hpp"

namespace ictus {
namespace {

/// One frequency and one epoch for all ranks of a host, decided by its first rank: if each calibrated for itself,
/// clocks that are one counter would drift apart, and with an epoch each they would show different times.
std::unique_ptr<Clock> make_clock(const Bound& bound, const mpi::Topology& topology, int rank) {
    ClockPlace place{.rank = rank, .host = topology.host_leader, .yields = topology.oversubscribed};
    std::unique_ptr<Clock> clock;
    if (rank == topology.host_leader) {
        clock = clock::registry().make(bound, place);
        place.frequency_hz = clock->frequency_hz();
        place.epoch = clock->epoch();
    }
    std::int64_t epoch = place.epoch.value_or(0);
    mpi::check(MPI_Bcast(&place.frequency_hz, 1, MPI_DOUBLE, 0, topology.host.handle()), "MPI_Bcast");
    mpi::check(MPI_Bcast(&epoch, 1, MPI_INT64_T, 0, topology.host.handle()), "MPI_Bcast");
    place.epoch = epoch;
    return clock ? std::move(clock) : clock::registry().make(bound, place);
}

} // namespace

Workplace::Workplace(const mpi::Session& session, const LaunchPlan& plan)
    : session_(session), comm_(mpi::Communicator::duplicate(MPI_COMM_WORLD)),
      record_comm_(mpi::Communicator::duplicate(MPI_COMM_WORLD)), topology_(mpi::read_topology(record_comm_.handle())),
      clock_(make_clock(plan.clock, topology_, session.rank())),
      transport_(record_comm_.handle(), *clock_, topology_.places), global_clock_(transport_),
      clocksync_(clocksync::registry().make(plan.clocksync)) {}

} // namespace ictus
