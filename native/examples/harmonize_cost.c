/* What a call of MPIX_Harmonize costs, from entering it to leaving it, when all processes enter together.
 *     mpicc harmonize_cost.c $(pkg-config --cflags --libs ictus) -o harmonize_cost
 *     mpiexec -n 2 ./harmonize_cost [CALLS] */
#include <ictus/harmonize.h>
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double us(const double* sorted, int n, double share) { return 1e6 * sorted[(int)(share * (n - 1))]; }

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int calls = argc > 1 ? atoi(argv[1]) : 6000, rank, flag, met = 0;
    if (calls < 1) {
        fprintf(stderr, "harmonize_cost: CALLS is '%s'; it must be a whole number above 0\n", argv[1]);
        MPI_Finalize();
        return 2;
    }
    double* costs = malloc((size_t)calls * sizeof *costs);
    int* flags = malloc((size_t)calls * sizeof *flags);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    MPIX_Harmonize(MPI_COMM_WORLD, &flag); /* makes what is kept with the communicator */
    double first = MPI_Wtime() - begin;
    begin = MPI_Wtime();
    for (int i = 0; i < calls; ++i) {
        double entered = MPI_Wtime();
        MPIX_Harmonize(MPI_COMM_WORLD, &flags[i]);
        costs[i] = MPI_Wtime() - entered;
    }
    double elapsed = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, costs, calls, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, flags, calls, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    for (int i = 0; i < calls; ++i) {
        met += flags[i];
    }
    qsort(costs, (size_t)calls, sizeof *costs, ascending);
    MPIX_Harmonize_statistics statistics;
    MPIX_Harmonize_get_statistics(MPI_COMM_WORLD, &statistics);
    if (rank == 0) {
        printf("the first call took %.1f ms\n", 1e3 * first);
        printf("%d calls in %.3f s; all processes met %d deadlines (%.1f %%)\n", calls, elapsed, met,
               100.0 * met / calls);
        printf("cost of a call, slowest process: median %.2f us, 90 %% below %.2f us, 99 %% below %.2f us, longest "
               "%.0f us\n",
               us(costs, calls, 0.5), us(costs, calls, 0.9), us(costs, calls, 0.99), us(costs, calls, 1.0));
        printf("slack of the last call %.2f us, longest %.2f us; clocks synchronised %d times, %.2f ms in all\n",
               1e6 * statistics.slack_s, 1e6 * statistics.largest_slack_s, (int)statistics.synchronisations,
               1e3 * statistics.synchronising_s);
    }
    free(costs);
    free(flags);
    MPI_Finalize();
    return 0;
}
