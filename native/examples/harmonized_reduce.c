/* How long does MPI_Reduce take? A micro-benchmark with MPIX_Harmonize in place of MPI_Barrier: listing 1 of the paper,
 * made complete. A sample counts if all processes started it together; the flags are combined in batches, outside what
 * is timed, and it goes on until enough samples are valid or too many were tried. mpicc harmonized_reduce.c
 * $(pkg-config --cflags --libs ictus) -o harmonized_reduce mpiexec -n 2 ./harmonized_reduce [BYTES] */
#include <ictus/harmonize.h>
#include <stdio.h>
#include <stdlib.h>

enum { wanted = 1000, most = 10000, batch = 16 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank, tried = 0, valid = 0, bytes = argc > 1 ? atoi(argv[1]) : 8;
    MPI_Comm_rank(comm, &rank);
    if (bytes < 1) {
        fprintf(stderr, "harmonized_reduce: BYTES is '%s'; it must be a whole number above 0\n", argv[1]);
        MPI_Finalize();
        return 2;
    }
    char *in = calloc((size_t)bytes, 1), *out = calloc((size_t)bytes, 1);
    double sum = 0.0, times[batch];
    int flags[batch];

    for (int i = 0; i < 20; ++i) { /* some libraries change their algorithm after the first calls */
        MPIX_Harmonize(comm, &flags[0]);
        MPI_Reduce(in, out, bytes, MPI_BYTE, MPI_BOR, 0, comm);
    }
    while (valid < wanted && tried < most) {
        for (int i = 0; i < batch; ++i) {
            MPIX_Harmonize(comm, &flags[i]); /* all have come, and all go on now */
            double begin = MPI_Wtime();
            MPI_Reduce(in, out, bytes, MPI_BYTE, MPI_BOR, 0, comm);
            times[i] = MPI_Wtime() - begin;
        }
        tried += batch;
        /* Whether a process was late, it alone knows; a reduction lasts as long as on its slowest process. */
        MPI_Allreduce(MPI_IN_PLACE, flags, batch, MPI_INT, MPI_LAND, comm);
        MPI_Allreduce(MPI_IN_PLACE, times, batch, MPI_DOUBLE, MPI_MAX, comm);
        for (int i = 0; i < batch; ++i) {
            if (flags[i]) {
                sum += times[i];
                ++valid;
            }
        }
    }
    if (rank == 0 && valid > 0) {
        printf("MPI_Reduce of %d bytes: mean %.3f us over %d valid samples of %d\n", bytes, 1e6 * sum / valid, valid,
               tried);
    } else if (rank == 0) {
        printf("MPI_Reduce of %d bytes: NA, no valid sample among %d\n", bytes, tried);
    }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
