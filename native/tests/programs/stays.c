/* A program that never ends: its ranks say "begun" when all have shared memory, and wait for a signal. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("begun\n");
    fflush(stdout);
    pause();
    return 0;
}
