// Calls that a release of a library is known to make wrongly whatever their arguments: not to be measured, because a
// wrong result has no latency, and left out of `--op all` like a call that the library lacks. Each is shown by
// tests/programs/persistent_faults.c, a plain MPI program, which also tells when a release no longer has it.
#pragma once

#include <mpi.h>

#include <string_view>

namespace ictus::operation {

struct KnownFault {
    std::string_view library; ///< `Intel MPI 2021.18.1`
    std::string_view what;    ///< what it does instead
};

/// Of this function in the library whose mpi.h the core is compiled with; empty: none is known.
constexpr KnownFault known_fault([[maybe_unused]] std::string_view mpi_name) {
#if defined(I_MPI_VERSION) && I_MPI_NUMVERSION < 20211900000 // seen in 2021.14.2 and 2021.18.1, no later one was tried
    constexpr std::string_view library = "Intel MPI " I_MPI_VERSION;
    if (mpi_name == "MPI_Gather_init") {
        return {library, "delivers what the send buffers held when it was made, and of the root nothing"};
    }
    if (mpi_name == "MPI_Allgather_init") {
        return {library, "is right at its first start alone: with 2, 4, 8, ... processes blocks are missing later on"};
    }
    if (mpi_name == "MPI_Scatter_init") {
        return {library, "is right at its first start alone: the second delivers nothing to the second of 2 processes, "
                         "and with more it ends the program"};
    }
#endif
    return {};
}

} // namespace ictus::operation
