// The one Replacement of this process, as the replaced MPI functions see it. Nothing is thrown from here.
#pragma once

#include <mpi.h>

namespace ictus::preload {

/// After any form of MPI_Init has succeeded with `code`; returns it. The first call counts. A mistake in the variables
/// ends the program with one message.
int begin(int code) noexcept;
/// In the place of MPI_Barrier.
int barrier(MPI_Comm comm) noexcept;
/// Before any form of MPI_Finalize. The first call counts.
void end() noexcept;

} // namespace ictus::preload
