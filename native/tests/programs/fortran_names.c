/* Calls MPI_Barrier under each name that Fortran compilers make of it, as a Fortran program would: without a Fortran
 * compiler, and where the library has no Fortran at all, the preloaded library answers. Prints how many names answered
 * and what they gave. */
#include <mpi.h>
#include <stdio.h>

typedef void barrier(const MPI_Fint*, MPI_Fint*);

#pragma weak mpi_barrier
#pragma weak mpi_barrier_
#pragma weak mpi_barrier__
#pragma weak MPI_BARRIER
#pragma weak mpi_barrier_f08_
extern barrier mpi_barrier, mpi_barrier_, mpi_barrier__, MPI_BARRIER, mpi_barrier_f08_;

#pragma weak mpi_init_
#pragma weak mpi_finalize_
extern void mpi_init_(MPI_Fint*), mpi_finalize_(MPI_Fint*);

int main(void) {
    barrier* const names[] = {mpi_barrier, mpi_barrier_, mpi_barrier__, MPI_BARRIER, mpi_barrier_f08_};
    const int n = (int)(sizeof names / sizeof *names);
    int answered = 0, failed = 0, rank;
    MPI_Fint error = MPI_SUCCESS;
    if (mpi_init_ != NULL) {
        mpi_init_(&error);
        failed += error != MPI_SUCCESS;
    } else {
        MPI_Init(NULL, NULL);
    }
    const MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n; ++i) {
        if (names[i] != NULL) {
            error = -1;
            names[i](&world, &error);
            failed += error != MPI_SUCCESS;
            ++answered;
        }
    }
    if (mpi_barrier_f08_ != NULL) {
        mpi_barrier_f08_(&world, NULL); /* the error argument is optional there */
        ++answered;
    }
    printf("rank %d: %d answered, %d failed\n", rank, answered, failed);
    fflush(stdout);
    if (mpi_finalize_ != NULL) {
        mpi_finalize_(&error);
    } else {
        MPI_Finalize();
    }
    return failed != 0 || error != MPI_SUCCESS;
}
