// MPI_IN_PLACE and MPI_BOTTOM in Fortran: variables of Open MPI, whose addresses stand for them. MPICH has none of
// these.
#pragma once

namespace ictus::mpi::fortran {

/// Whether the library has a variable for MPI_IN_PLACE: then its Fortran functions do not call its C functions.
[[nodiscard]] bool has_constants();
/// MPI_IN_PLACE or MPI_BOTTOM for the address that stands for it; any other as it is.
[[nodiscard]] void* buffer(void* address);

} // namespace ictus::mpi::fortran
