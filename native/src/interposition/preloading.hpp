// The checks of a library that is loaded in front of a program, at its begin, and how it ends the program. No mpi.h
// here.
#pragma once

#include "base/error.hpp"

#include <string_view>

namespace ictus {

/// MPI libraries of one kind accept each other's handles: a program compiled with one runs with the others.
enum class LibraryAbi {
    mpich,    ///< MPICH's initiative: Intel MPI, MVAPICH and Cray's among them
    openmpi,  ///< Open MPI and its derivatives
    standard, ///< the ABI of MPI 5, whoever made the library
    unknown,
};

/// By the text of MPI_Get_library_version, which says nothing of the standard ABI: MPICH says the same with both.
[[nodiscard]] constexpr LibraryAbi abi_of(std::string_view library_version) {
    const std::string_view first = library_version.substr(0, library_version.find('\n'));
    // Open MPI's text names the package it comes from, which can have any name.
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

namespace interposition {

/// Call it right after MPI_Init, before any use of a handle. If the program's MPI library is of another kind than ours
/// (LibraryAbi), one rank prints a message that begins with `who`, and all ranks end with exit code 2. Nothing else
/// stops a user from loading us in front of the program of another library.
void require_own_library(const char* who);

/// Collective over MPI_COMM_WORLD: ends the program with an error that all ranks have (agreement.hpp). Rank 0 prints it
/// after `who`, and all ranks end with its exit code, so that the launcher reports this code and no crash.
[[noreturn]] void refuse(const char* who, const Error& error);

} // namespace interposition

} // namespace ictus
