/* What libictus-profile costs a call.
 *
 *     profile_cost [ROUNDS]
 *
 * One process, so that nothing waits for another: in each round 1000 calls of MPI_Allreduce in front of as many of
 * PMPI_Allreduce, which no library stands in front of, the same with MPI_Testany of eight messages that do not come,
 * and 1000 pairs of readings of MPI_Wtime. Prints `call_ns = ...` and `test_ns = ...`, the differences of the medians,
 * and `call_readings = ...` and `test_readings = ...`, how many of those pairs these are.
 *
 * Several processes: between two calls each computes as long as it takes to make 100,000 calls a second. In each round
 * 1000 such steps with MPI_Allreduce and as many with PMPI_Allreduce. Prints `calls_per_s = ...` without the library
 * and `share = ...`, by how much a round of the first is longer: the median over the rounds of their ratio, minus 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { calls = 1000, most_rounds = 10000 };
static const double step_s = 1e-5;

static double own = 1.0, result;
static volatile double computed = 1.0;
static double counted_s[most_rounds], plain_s[most_rounds], ratios[most_rounds];
static double counted_test_s[most_rounds], plain_test_s[most_rounds], readings_s[most_rounds];

enum { messages = 8 };
static char missing[messages];
static MPI_Request requests[messages];
static int found, which;

static void compute(long steps) {
    double value = computed;
    for (long i = 0; i < steps; ++i) {
        value = value * 0.999999 + 1e-6;
    }
    computed = value;
}

static double counted(long steps) {
    const double begin_s = MPI_Wtime();
    for (int call = 0; call < calls; ++call) {
        compute(steps);
        MPI_Allreduce(&own, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin_s) / calls;
}

static double plain(long steps) {
    const double begin_s = MPI_Wtime();
    for (int call = 0; call < calls; ++call) {
        compute(steps);
        PMPI_Allreduce(&own, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin_s) / calls;
}

static double counted_test(void) {
    const double begin_s = MPI_Wtime();
    for (int call = 0; call < calls; ++call) {
        MPI_Testany(messages, requests, &which, &found, MPI_STATUS_IGNORE);
    }
    return (MPI_Wtime() - begin_s) / calls;
}

static double plain_test(void) {
    const double begin_s = MPI_Wtime();
    for (int call = 0; call < calls; ++call) {
        PMPI_Testany(messages, requests, &which, &found, MPI_STATUS_IGNORE);
    }
    return (MPI_Wtime() - begin_s) / calls;
}

static double readings(void) {
    const double begin_s = MPI_Wtime();
    for (int pair = 0; pair < calls; ++pair) {
        computed = MPI_Wtime() - MPI_Wtime();
    }
    return (MPI_Wtime() - begin_s) / calls;
}

static int ascending(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* values, int n) {
    qsort(values, (size_t)n, sizeof *values, ascending);
    return values[n / 2];
}

/* Rank 0's number of steps of computing with which a call is made each 10 us; the quickest of some tries counts. */
static long paced(void) {
    const long many = 100000;
    double call_s = 1.0, many_s = 1.0;
    for (int i = 0; i < 20; ++i) {
        const double each_s = plain(0), begin_s = MPI_Wtime();
        compute(many);
        const double computing_s = MPI_Wtime() - begin_s;
        call_s = each_s < call_s ? each_s : call_s;
        many_s = computing_s < many_s ? computing_s : many_s;
    }
    long steps = call_s < step_s ? (long)((step_s - call_s) / many_s * (double)many) : 0;
    PMPI_Bcast(&steps, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return steps;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int rounds = argc > 1 ? atoi(argv[1]) : 200;
    int size = 0, rank = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rounds < 1 || rounds > most_rounds) {
        fprintf(stderr, "profile_cost: ROUNDS from 1 to %d\n", most_rounds);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const long steps = size > 1 ? paced() : 0;
    const int pending = size == 1 ? messages : 0;
    for (int i = 0; i < pending; ++i) {
        MPI_Irecv(&missing[i], 1, MPI_CHAR, 0, i, MPI_COMM_SELF, &requests[i]);
    }
    for (int round = 0; round < rounds; ++round) {
        counted_s[round] = counted(steps);
        plain_s[round] = plain(steps);
        ratios[round] = counted_s[round] / plain_s[round];
        if (size == 1) {
            counted_test_s[round] = counted_test();
            plain_test_s[round] = plain_test();
            readings_s[round] = readings();
        }
    }
    for (int i = 0; i < pending; ++i) {
        MPI_Cancel(&requests[i]);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    if (rank == 0 && size == 1) {
        const double call_s = median(counted_s, rounds) - median(plain_s, rounds);
        const double test_s = median(counted_test_s, rounds) - median(plain_test_s, rounds);
        const double pair_s = median(readings_s, rounds);
        printf("call_ns = %.1f\ntest_ns = %.1f\n", 1e9 * call_s, 1e9 * test_s);
        printf("call_readings = %.2f\ntest_readings = %.2f\n", call_s / pair_s, test_s / pair_s);
    } else if (rank == 0) {
        printf("calls_per_s = %.0f\n", 1.0 / median(plain_s, rounds));
        printf("share = %.5f\n", median(ratios, rounds) - 1.0);
    }
    MPI_Finalize();
    return 0;
}
