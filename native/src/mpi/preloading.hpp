// What a library that is loaded in front of a program checks at its begin, and how it ends the program. No mpi.h here.
#pragma once

#include "base/error.hpp"

#include <string_view>

namespace ictus {

// Which MPI libraries take each other's handles: what is compiled with one of a kind runs with any of that kind. Text
// only: no MPI.

enum class LibraryAbi {
    mpich,   ///< MPICH's initiative: Intel MPI, MVAPICH and Cray's among them
    openmpi, ///< Open MPI, and what is made of it
    unknown,
};

/// By the text of MPI_Get_library_version.
[[nodiscard]] constexpr LibraryAbi abi_of(std::string_view library_version) {
    const std::string_view first = library_version.substr(0, library_version.find('\n'));
    // Open MPI's text names the package that it is of, whose builder may have called it anything.
    for (const std::string_view one : {"Open MPI", "IBM Spectrum MPI"}) {
        if (first.starts_with(one)) {
            return LibraryAbi::openmpi;
        }
    }
    for (const std::string_view one : {"MPICH", "Intel(R) MPI", "MVAPICH"}) {
        if (first.find(one) != std::string_view::npos) {
            return LibraryAbi::mpich;
        }
    }
    return LibraryAbi::unknown;
}

namespace mpi {

// Whether the program runs on an MPI library that takes our handles: a library that is loaded in front of it was built
// with one, and nothing else would keep it from the program of another.

/// Right after MPI_Init, before anything that takes a handle. Where the library is known to be of another kind than the
/// one that we were built with (LibraryAbi), one rank says so after `who`, as far as the launcher tells
/// ranks, and all end with exit code 2.
void require_own_library(const char* who);

// How a library that is loaded in front of a program ends it at its begin.

/// Collective over MPI_COMM_WORLD, of an error that every rank finds alike (agreement.hpp): rank 0 says it after `who`,
/// and all ranks end with its exit code, so that the launcher passes it on and complains of no crash.
[[noreturn]] void refuse(const char* who, const Error& error);

} // namespace mpi

} // namespace ictus
