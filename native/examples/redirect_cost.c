/* What libictus-redirect costs a call: one process, so that nothing waits for another.
 *
 *     redirect_cost [ROUNDS]
 *
 * In each round 1000 calls of MPI_Allreduce in front of as many of PMPI_Allreduce, which no library stands in front of:
 * what a call costs that the profile leaves to MPI. Then 1000 calls of MPI_Scan, which the profile makes
 * scan_as_exscan_and_reduce_local, in front of the same by hand: what deciding costs and having memory. Of 8 bytes.
 * Prints `passed_ns = ...` and `rerouted_ns = ...`, differences of the lower quartiles of all rounds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { calls = 1000, most_rounds = 10000, n_bytes = 8 };

static char own[n_bytes], result[n_bytes], before[n_bytes];

static void allreduce(void) { MPI_Allreduce(own, result, n_bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD); }

static void library_allreduce(void) { PMPI_Allreduce(own, result, n_bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD); }

static void scan(void) { MPI_Scan(own, result, n_bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD); }

static void scan_by_hand(void) {
    PMPI_Exscan(own, before, n_bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    memcpy(result, own, n_bytes);
}

static void (*const kinds[])(void) = {allreduce, library_allreduce, scan, scan_by_hand};
enum { n_kinds = 4 };

static double times_ns[n_kinds][most_rounds];

static int ascending(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int rounds = argc > 1 ? atoi(argv[1]) : 200;
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rounds < 1 || rounds > most_rounds || size != 1) {
        fprintf(stderr, "redirect_cost: one process, and ROUNDS from 1 to %d\n", most_rounds);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int round = 0; round < rounds; ++round) {
        for (int kind = 0; kind < n_kinds; ++kind) {
            const double begin_s = MPI_Wtime();
            for (int call = 0; call < calls; ++call) {
                kinds[kind]();
            }
            times_ns[kind][round] = (MPI_Wtime() - begin_s) / calls * 1e9;
        }
    }
    for (int kind = 0; kind < n_kinds; ++kind) {
        qsort(times_ns[kind], (size_t)rounds, sizeof times_ns[kind][0], ascending);
    }
    const int quarter = rounds / 4;
    printf("passed_ns = %.1f\n", times_ns[0][quarter] - times_ns[1][quarter]);
    printf("rerouted_ns = %.1f\n", times_ns[2][quarter] - times_ns[3][quarter]);
    MPI_Finalize();
    return 0;
}
