// The same functions for Fortran programs. In some libraries these call the C functions, in others they do not. So each
// is replaced here too, under every name that Fortran compilers give it, and counts once. The library's Fortran
// function initialises MPI, for it must learn the Fortran constants.
#include "mpi/fortran.hpp"
#include "preload/program.hpp"

namespace {

using namespace ictus;

void init(const char* name, MPI_Fint* error) { mpi::fortran::init(name, error, preload::begin); }
void init_thread(const char* name, const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
    mpi::fortran::init_thread(name, required, provided, error, preload::begin);
}
void barrier(const MPI_Fint* comm, MPI_Fint* error) {
    mpi::fortran::give(error, preload::barrier(PMPI_Comm_f2c(*comm)));
}
void finalize(const char* name, MPI_Fint* error) { mpi::fortran::finalize(name, error, preload::end); }

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
