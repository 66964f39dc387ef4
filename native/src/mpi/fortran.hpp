// For calls from Fortran of a library in front of MPI: the library's functions behind it, and the begin and end of MPI.
// The library's Fortran functions do these, for they must learn the Fortran constants.
#pragma once

#include "mpi/fortran_handles.hpp"

#include <dlfcn.h>
#include <mpi.h>

namespace ictus::mpi::fortran {

/// The function of this name behind us; null in a library without Fortran.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// The error argument of mpi_f08 is optional.
inline void give(MPI_Fint* error, int code) {
    if (error != nullptr) {
        *error = code;
    }
}

/// `begin` receives the code of the library's function, and decides the result.
inline void init(const char* name, MPI_Fint* error, int (*begin)(int) noexcept) {
    MPI_Fint code = MPI_SUCCESS;
    if (auto* const library = next<void(MPI_Fint*)>(name)) {
        library(&code);
    } else {
        code = PMPI_Init(nullptr, nullptr);
    }
    give(error, begin(code));
}

inline void init_thread(const char* name, const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error,
                        int (*begin)(int) noexcept) {
    MPI_Fint code = MPI_SUCCESS;
    if (auto* const library = next<void(const MPI_Fint*, MPI_Fint*, MPI_Fint*)>(name)) {
        library(required, provided, &code);
    } else {
        code = PMPI_Init_thread(nullptr, nullptr, *required, provided);
    }
    give(error, begin(code));
}

inline void finalize(const char* name, MPI_Fint* error, void (*end)() noexcept) {
    end();
    MPI_Fint code = MPI_SUCCESS;
    if (auto* const library = next<void(MPI_Fint*)>(name)) {
        library(&code);
    } else {
        code = PMPI_Finalize();
    }
    give(error, code);
}

} // namespace ictus::mpi::fortran
