// MPI's return codes become Errors that name the call and carry MPI's own words.
#pragma once

namespace ictus::mpi {

/// Throws a measurement Error unless `code` is MPI_SUCCESS. Needs an error handler that returns (mpi/session sets it).
void check(int code, const char* call);

} // namespace ictus::mpi
