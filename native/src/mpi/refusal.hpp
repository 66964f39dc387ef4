// How a library that is loaded in front of a program ends it at its begin.
#pragma once

#include "base/error.hpp"

namespace ictus::mpi {

/// Collective over MPI_COMM_WORLD, of an error that every rank finds alike (agreement.hpp): rank 0 says it after `who`,
/// and all ranks end with its exit code, so that the launcher passes it on and complains of no crash.
[[noreturn]] void refuse(const char* who, const Error& error);

} // namespace ictus::mpi
