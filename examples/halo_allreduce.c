// A ring of processes that exchange halos with both neighbours, relax their part of a field, and sum a vector of
// moments over all: what many solvers do in every step, and a program to try `ictus profile` and `ictus advise` on.
//
//     mpicc -O2 -g examples/halo_allreduce.c -o halo_allreduce
//     ictus advise -m openmpi -n 4 -- ./halo_allreduce [STEPS] [MOMENTS] [CELLS]
//
// STEPS defaults to 2000, MOMENTS to 8192 doubles (64 KiB), CELLS of a process to 20000.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { HALO = 64 };

static int number(int n_arguments, char** arguments, int index, int usual) {
    const int given = n_arguments > index ? atoi(arguments[index]) : usual;
    return given > 0 ? given : usual;
}

static double* zeros(int n) {
    double* const made = calloc((size_t)n, sizeof(double));
    if (made == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return made;
}

int main(int n_arguments, char** arguments) {
    MPI_Init(&n_arguments, &arguments);
    const int steps = number(n_arguments, arguments, 1, 2000);
    const int n_moments = number(n_arguments, arguments, 2, 8192);
    const int n_cells = number(n_arguments, arguments, 3, 20000);
    int rank;
    int n;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const int left = (rank + n - 1) % n;
    const int right = (rank + 1) % n;

    const int whole = n_cells + 2 * HALO;
    double* const field = zeros(whole);
    double* const next = zeros(whole);
    double* const own = zeros(n_moments);
    double* const all = zeros(n_moments);
    for (int i = 0; i < n_cells; ++i) {
        field[HALO + i] = ((rank * n_cells + i) % 97) / 97.0;
    }

    const double began = MPI_Wtime();
    for (int step = 0; step < steps; ++step) {
        MPI_Sendrecv(field + HALO, HALO, MPI_DOUBLE, left, 0, field + HALO + n_cells, HALO, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(field + n_cells, HALO, MPI_DOUBLE, right, 1, field, HALO, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = HALO; i < HALO + n_cells; ++i) {
            next[i] = 0.5 * field[i] + 0.25 * (field[i - 1] + field[i + 1]);
        }
        for (int i = HALO; i < HALO + n_cells; ++i) {
            field[i] = next[i];
        }
        for (int i = 0; i < n_moments; ++i) {
            own[i] = field[HALO + i % n_cells];
        }
        MPI_Allreduce(own, all, n_moments, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        printf("%d steps of %d processes in %.3f s, first moment %.12g\n", steps, n, MPI_Wtime() - began, all[0]);
    }
    free(field);
    free(next);
    free(own);
    free(all);
    MPI_Finalize();
    return 0;
}
