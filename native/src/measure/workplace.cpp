#include "measure/workplace.hpp"

#include "mpi/host_clock.hpp"

namespace ictus {
namespace {

/// Twice, so that counters of different rates are told apart too: here 20 ms do not matter.
constexpr clocksync::DomainCheck thorough{.exchanges = 20, .apart_s = 0.02};

} // namespace

Workplace::Workplace(const mpi::Session& session, const LaunchPlan& plan)
    : session_(session), comm_(mpi::Communicator::duplicate(MPI_COMM_WORLD)),
      record_comm_(mpi::Communicator::duplicate(MPI_COMM_WORLD)), topology_(mpi::read_topology(record_comm_.handle())),
      clock_(mpi::make_host_clock(plan.clock, topology_, session.rank())),
      transport_(record_comm_.handle(), *clock_,
                 mpi::claim_domains(topology_, record_comm_.handle(), plan.clock_domain, *clock_)),
      domains_(clocksync::find_domains(transport_, thorough)), global_clock_(transport_),
      clocksync_(clocksync::registry().make(plan.clocksync)) {}

} // namespace ictus
