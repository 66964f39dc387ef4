// Which MPI libraries take each other's handles: what is compiled with one of a kind runs with any of that kind. Text
// only: no MPI.
#pragma once

#include <string_view>

namespace ictus {

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

} // namespace ictus
