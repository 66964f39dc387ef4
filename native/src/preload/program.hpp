// The one Replacement of this process, for the replaced MPI functions. Nothing here throws.
#pragma once

#include <mpi.h>

namespace ictus::preload {

/// After any form of MPI_Init has succeeded with `code`; returns it. The first call counts. A mistake in the variables
/// ends the program with one message.
int begin(int code) noexcept;
/// Replaces MPI_Barrier.
int barrier(MPI_Comm comm) noexcept;
/// Before any form of MPI_Finalize. The first call counts.
void end() noexcept;

} // namespace ictus::preload
