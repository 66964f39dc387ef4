/* A program that calls MPI, and none of the functions that are counted: `profiled_beside LIBRARY`, which is this file
   compiled with -DLIBRARY. The library is loaded behind MPI_Init, and has a function that calls MPI as Fortran does. */
#include <mpi.h>
#include <stdio.h>

#ifdef LIBRARY
void mpi_file_open_f08_(void*, void*, void*, void*, void*, void*); /* called by nobody, so that no wheel need have it */
void open_in_fortran(void);
void open_in_fortran(void) { mpi_file_open_f08_(0, 0, 0, 0, 0, 0); }

void split(void);
void split(void) {
    MPI_Comm half;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_free(&half);
}
#else
#include <dlfcn.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm copy;
    int n;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_size(copy, &n);
    MPI_Comm_free(&copy);
    PMPI_Barrier(MPI_COMM_WORLD);
    union {
        void* found;
        void (*call)(void);
    } split = {dlsym(dlopen(argv[1], RTLD_LAZY), "split")};
    split.call();
    printf("%d", n);
    MPI_Finalize();
    return 0;
}
#endif
