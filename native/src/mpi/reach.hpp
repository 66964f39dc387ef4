// Which processes a communicator of somebody else's program has.
#pragma once

#include <mpi.h>

namespace ictus::mpi {

/// Whether this MPI_COMM_WORLD was started by MPI_Comm_spawn.
[[nodiscard]] bool is_spawned();

/// Whether `comm` is an intercommunicator. Local, and the same on all its processes; so is the next.
[[nodiscard]] bool is_between_groups(MPI_Comm comm);
/// Whether all processes of the intracommunicator `comm` are in MPI_COMM_WORLD.
[[nodiscard]] bool lies_in_world(MPI_Comm comm);

} // namespace ictus::mpi
