/* Calls MPI as a program compiled from Fortran does, on two processes. */
#include <mpi.h>

typedef const MPI_Fint* in;
#ifdef LIKE_OPENMPI
extern int mpi_fortran_in_place_;
#define IN_PLACE &mpi_fortran_in_place_
#else
extern int mpich_in_place_;
extern void mpi_allreduce_f08ts_(void**, void**, in, in, in, in, MPI_Fint*);
#define IN_PLACE &mpich_in_place_
#endif
extern void mpi_init_(MPI_Fint*), mpi_finalize_(MPI_Fint*);
extern void mpi_allreduce_(void*, void*, in, in, in, in, MPI_Fint*);
extern void mpi_alltoallw_(void*, in, in, in, void*, in, in, in, in, MPI_Fint*);

int main(void) {
    MPI_Fint error = 0;
    mpi_init_(&error);
    const MPI_Fint world = PMPI_Comm_c2f(MPI_COMM_WORLD), type = PMPI_Type_c2f(MPI_DOUBLE), sum = PMPI_Op_c2f(MPI_SUM);
    const MPI_Fint five = 5, counts[] = {2, 2}, places[] = {0, 24}, types[] = {type, type};
    double sent[8] = {0}, received[8] = {0};
    for (int i = 0; i < 3; ++i) {
        mpi_allreduce_(sent, received, &five, &type, &sum, &world, &error);
    }
    mpi_allreduce_(IN_PLACE, received, &five, &type, &sum, &world, &error); /* site: in place */
#ifndef LIKE_OPENMPI
    const MPI_Fint max = PMPI_Op_c2f(MPI_MAX);
    void *from = sent, *to = received;
    mpi_allreduce_f08ts_(&from, &to, &five, &type, &max, &world, &error); /* site: descriptors */
#endif
    mpi_alltoallw_(sent, counts, places, types, received, counts, places, types, &world, &error);
    mpi_finalize_(&error);
    return error;
}
