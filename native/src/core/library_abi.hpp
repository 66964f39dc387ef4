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
[[nodiscard]] LibraryAbi abi_of(std::string_view library_version);

} // namespace ictus
