// The same functions as Fortran programs call them. Some libraries reach their C functions from there, others do not;
// so each is replaced here too, under every name that Fortran compilers make of it, and counts once. Initialising is
// left to the library's Fortran function: it learns of the Fortran constants.
#include "preload/program.hpp"

#include <dlfcn.h>

namespace {

using namespace ictus;

/// The function of this name behind us; null in a library without Fortran.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

using Init = void(MPI_Fint*);
using InitThread = void(const MPI_Fint*, MPI_Fint*, MPI_Fint*);

/// The error argument of mpi_f08 is optional.
void give(MPI_Fint* error, int code) {
    if (error != nullptr) {
        *error = code;
    }
}

void init(const char* name, MPI_Fint* error) {
    MPI_Fint code = MPI_SUCCESS;
    if (Init* const library = next<Init>(name)) {
        library(&code);
    } else {
        code = PMPI_Init(nullptr, nullptr);
    }
    give(error, preload::begin(code));
}

void init_thread(const char* name, const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
    MPI_Fint code = MPI_SUCCESS;
    if (InitThread* const library = next<InitThread>(name)) {
        library(required, provided, &code);
    } else {
        code = PMPI_Init_thread(nullptr, nullptr, *required, provided);
    }
    give(error, preload::begin(code));
}

void barrier(const MPI_Fint* comm, MPI_Fint* error) { give(error, preload::barrier(PMPI_Comm_f2c(*comm))); }

void finalize(const char* name, MPI_Fint* error) {
    preload::end();
    MPI_Fint code = MPI_SUCCESS;
    if (Init* const library = next<Init>(name)) {
        library(&code);
    } else {
        code = PMPI_Finalize();
    }
    give(error, code);
}

} // namespace

// mpif.h and the module mpi; then mpi_f08, whose communicator is a structure of one integer.
#define ICTUS_FORTRAN(INIT, INIT_THREAD, BARRIER, FINALIZE)                                                            \
    void INIT(MPI_Fint* error) { init(#INIT, error); }                                                                 \
    void INIT_THREAD(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {                                  \
        init_thread(#INIT_THREAD, required, provided, error);                                                          \
    }                                                                                                                  \
    void BARRIER(const MPI_Fint* comm, MPI_Fint* error) { barrier(comm, error); }                                      \
    void FINALIZE(MPI_Fint* error) { finalize(#FINALIZE, error); }

extern "C" {

ICTUS_FORTRAN(mpi_init, mpi_init_thread, mpi_barrier, mpi_finalize)
ICTUS_FORTRAN(mpi_init_, mpi_init_thread_, mpi_barrier_, mpi_finalize_)
ICTUS_FORTRAN(mpi_init__, mpi_init_thread__, mpi_barrier__, mpi_finalize__)
ICTUS_FORTRAN(MPI_INIT, MPI_INIT_THREAD, MPI_BARRIER, MPI_FINALIZE)
ICTUS_FORTRAN(mpi_init_f08_, mpi_init_thread_f08_, mpi_barrier_f08_, mpi_finalize_f08_)

} // extern "C"
