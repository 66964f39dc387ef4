/* A benchmark of somebody else, in the classic form: barrier, read the time, call, read the time. It knows nothing of
 * Ictus.
 *
 *     classic_benchmark [repetitions [exit code [form]]]
 *
 * Each rank prints the mean of its durations, and what MPI_Allreduce gave, so that a wrong result shows. Then every
 * rank's exits from the barriers, on a clock that ranks of one host have in common, nanoseconds. Before each barrier
 * rank 1 dawdles for 1 ms: the time that the others spend in the barrier shows whether it is one.
 *
 * Forms: `world` (default), `thread` (MPI_Init_thread), `sub` (barriers on the world, a duplicate and two halves; the
 * duplicate is made, used and freed in each repetition), `inter` (barriers between two halves), `quit` (ends without
 * MPI_Finalize). */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most = 100000 };

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void dawdle(void) {
    const int64_t until = now_ns() + 1000000;
    while (now_ns() < until) {
    }
}

static int64_t left_at[most], waited[most];

static double repeat(MPI_Comm comm, int repetitions, int rank) {
    double spent = 0;
    for (int i = 0; i < repetitions; ++i) {
        int one = 1, sum = 0, size;
        if (rank == 1) {
            dawdle();
        }
        const int64_t came = now_ns();
        MPI_Barrier(comm);
        left_at[i] = now_ns();
        waited[i] = left_at[i] - came;
        const double begin = MPI_Wtime();
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        spent += MPI_Wtime() - begin;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (sum != size) {
            MPI_Abort(MPI_COMM_WORLD, 99);
        }
    }
    return spent / repetitions;
}

static double between_groups(int repetitions, int rank, int size) {
    MPI_Comm half, inter;
    const int lower = rank < size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, lower, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? size / 2 : 0, 5, &inter);
    const double mean = repeat(inter, repetitions, rank);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return mean;
}

static double on_parts(int repetitions, int rank) {
    MPI_Comm half;
    double mean = repeat(MPI_COMM_WORLD, repetitions, rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, rank % 2 ? "odd" : "even");
    for (int i = 0; i < repetitions; ++i) {
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Barrier(copy);
        MPI_Comm_free(&copy);
        MPI_Barrier(half); /* both halves at once */
    }
    return mean; /* `half` is left to MPI_Finalize */
}

static void print_rank(int rank, double mean, int repetitions) {
    printf("rank %d mean %.9f exits", rank, mean);
    for (int i = 0; i < repetitions; ++i) {
        printf(" %lld", (long long)left_at[i]);
    }
    printf(" waits");
    for (int i = 0; i < repetitions; ++i) {
        printf(" %lld", (long long)waited[i]);
    }
    printf("\n");
    fflush(stdout);
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? atoi(argv[1]) : 10;
    const int code = argc > 2 ? atoi(argv[2]) : 0;
    const char* form = argc > 3 ? argv[3] : "world";
    int rank, size, provided;
    if (strcmp(form, "thread") == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double mean = strcmp(form, "inter") == 0 ? between_groups(repetitions, rank, size)
                        : strcmp(form, "sub") == 0 ? on_parts(repetitions, rank)
                                                   : repeat(MPI_COMM_WORLD, repetitions, rank);
    print_rank(rank, mean, repetitions);
    if (strcmp(form, "quit") == 0) {
        exit(code);
    }
    MPI_Finalize();
    return code;
}
