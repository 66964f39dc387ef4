// Whether the program runs on an MPI library that takes our handles: a library that is loaded in front of it was built
// with one, and nothing else would keep it from the program of another.
#pragma once

namespace ictus::mpi {

/// Right after MPI_Init, before anything that takes a handle. Where the library is known to be of another kind than the
/// one that we were built with (mpi/library_abi.hpp), one rank says so after `who`, as far as the launcher tells
/// ranks, and all end with exit code 2.
void require_own_library(const char* who);

} // namespace ictus::mpi
