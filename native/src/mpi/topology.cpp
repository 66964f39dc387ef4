#include "mpi/topology.hpp"

#include "mpi/check.hpp"

#include <sched.h>

namespace ictus::mpi {
namespace {

/// The number of cores that the ranks of one host may use between them. 0 where the kernel does not tell.
int usable_cores(const Communicator& host) {
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

} // namespace

Topology read_topology(MPI_Comm comm) {
    Topology topology{Communicator::same_host(comm)};
    check(MPI_Comm_rank(comm, &topology.host_leader), "MPI_Comm_rank");
    check(MPI_Bcast(&topology.host_leader, 1, MPI_INT, 0, topology.host.handle()), "MPI_Bcast");
    topology.n_host_ranks = topology.host.size();
    const int cores = usable_cores(topology.host);
    int over = cores > 0 && topology.n_host_ranks > cores ? 1 : 0;
    check(MPI_Allreduce(MPI_IN_PLACE, &over, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
    topology.oversubscribed = over != 0;
    return topology;
}

} // namespace ictus::mpi
