/* The Fortran functions of a library, as far as profiled_fortran.c calls them. With LIKE_OPENMPI they call the
 * library's functions by their profiling names, and MPI_IN_PLACE is a variable; else they call the public C functions,
 * as MPICH's do. */
#include <mpi.h>

#ifdef LIKE_OPENMPI
#define CALLED(name) PMPI_##name
int mpi_fortran_in_place_;
#else
#define CALLED(name) MPI_##name
int mpich_in_place_;
#define mpi_fortran_in_place_ mpich_in_place_
#endif

typedef const MPI_Fint* in;

static void* buffer(void* address) { return address == (void*)&mpi_fortran_in_place_ ? MPI_IN_PLACE : address; }

void mpi_init_(MPI_Fint* error) { *error = PMPI_Init(0, 0); }
void mpi_finalize_(MPI_Fint* error) { *error = PMPI_Finalize(); }
void mpi_allreduce_(void* send, void* receive, in count, in type, in op, in comm, MPI_Fint* error) {
    *error =
        CALLED(Allreduce)(buffer(send), receive, *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm));
}
#ifndef LIKE_OPENMPI
/* As mpi_f08 calls it: a buffer is a descriptor, which begins with the address. */
void mpi_allreduce_f08ts_(void** send, void** receive, in count, in type, in op, in comm, MPI_Fint* error) {
    *error = MPI_Allreduce(*send, *receive, *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm));
}
#endif
void mpi_alltoallw_(void* send, in sent, in from, in send_types, void* receive, in got, in to, in receive_types,
                    in comm, MPI_Fint* error) {
    MPI_Datatype types[2] = {PMPI_Type_f2c(send_types[0]), PMPI_Type_f2c(send_types[1])};
    (void)receive_types;
    *error = CALLED(Alltoallw)(send, sent, from, types, receive, got, to, types, PMPI_Comm_f2c(*comm));
}
