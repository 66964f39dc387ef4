#include "measure/workplace.hpp"

#include "mpi/host_clock.hpp"

namespace ictus {

Workplace::Workplace(const mpi::Session& session, const LaunchPlan& plan)
    : session_(session), comm_(mpi::Communicator::duplicate(MPI_COMM_WORLD)),
      record_comm_(mpi::Communicator::duplicate(MPI_COMM_WORLD)), topology_(mpi::read_topology(record_comm_.handle())),
      clock_(mpi::make_host_clock(plan.clock, topology_, session.rank())),
      transport_(record_comm_.handle(), *clock_, topology_.places), global_clock_(transport_),
      clocksync_(clocksync::registry().make(plan.clocksync)) {}

} // namespace ictus
