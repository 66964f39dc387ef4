/* A benchmark of somebody else, in the classic form: barrier, read the time, call, read the time. It knows nothing of
 * Ictus.
 *
 *     classic_benchmark [repetitions [exit code [form]]]
 *
 * Rank 0 prints for each rank the mean of its durations, then when it left the barriers, on a clock that ranks of one
 * host have in common, and how long it was in them, nanoseconds. A wrong result of MPI_Allreduce ends the program.
 * Before each barrier rank 1 dawdles for 10 ms: the time that rank 0 spends in the barrier shows whether it is one.
 *
 * Forms: `world` (default), `thread` (MPI_Init_thread), `sub` (barriers on the world, a duplicate and two halves; the
 * duplicate is made, used and freed in each repetition), `inter` (barriers between two halves), `quit` (ends without
 * MPI_Finalize), `threads` (two threads of each rank, each with a duplicate, taken up in opposite orders), `spawn`
 * (with a process that rank 0 starts), `attributes` (on a duplicate that has one; a copy of it ends the program),
 * `last` (and once more when MPI_Finalize frees the attributes of MPI_COMM_SELF). */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
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
    const struct timespec while_ago = {0, 10000000};
    nanosleep(&while_ago, NULL);
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

typedef struct {
    MPI_Comm comm;
    int repetitions;
} Work;

static void* meet(void* argument) {
    const Work* work = argument;
    for (int i = 0; i < work->repetitions; ++i) {
        MPI_Barrier(work->comm);
    }
    return NULL;
}

static double by_threads(int repetitions, int rank) {
    Work works[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) {
        works[i].repetitions = repetitions;
        MPI_Comm_dup(MPI_COMM_WORLD, &works[i].comm);
    }
    for (int i = 0; i < 2; ++i) {
        pthread_create(&threads[i], NULL, meet, &works[(rank + i) % 2]);
        dawdle(); /* so that the ranks make them in opposite orders */
    }
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
    }
    return 0; /* the duplicates are left to MPI_Finalize */
}

/* `family` is what one side sees of the other. */
static double with_family(MPI_Comm family, int repetitions, int is_child) {
    MPI_Comm all;
    MPI_Intercomm_merge(family, is_child, &all);
    meet(&(Work){all, repetitions});
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&family);
    return 0;
}

static double with_child(char* program, char* count, int repetitions) {
    char form[] = "spawn", code[] = "0";
    char* words[] = {count, code, form, NULL};
    MPI_Comm child;
    MPI_Comm_spawn(program, words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
    return with_family(child, repetitions, 0);
}

static int refuse_copy(MPI_Comm comm, int key, void* extra, void* value, void* copy, int* flag) {
    (void)comm, (void)key, (void)extra, (void)value, (void)copy, (void)flag;
    fprintf(stderr, "somebody has copied an attribute\n");
    exit(98);
}

static double with_attribute(int repetitions, int rank) {
    MPI_Comm comm;
    int key;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(refuse_copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(comm, key, NULL);
    return repeat(comm, repetitions, rank);
}

static MPI_Comm kept;

static int meet_once_more(MPI_Comm comm, int key, void* value, void* extra) {
    (void)comm, (void)key, (void)value, (void)extra;
    int rank;
    MPI_Comm_rank(kept, &rank);
    MPI_Barrier(kept); /* a first one may take long for reasons of its own */
    if (rank == 1) {
        dawdle();
    }
    const int64_t came = now_ns();
    MPI_Barrier(kept);
    if (rank == 0) {
        printf("last waited %lld\n", (long long)(now_ns() - came));
        fflush(stdout);
    }
    return MPI_SUCCESS;
}

static double until_the_last(int repetitions, int rank) {
    int key;
    MPI_Comm_dup(MPI_COMM_WORLD, &kept);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, meet_once_more, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    return repeat(MPI_COMM_WORLD, repetitions, rank);
}

static void print_numbers(const char* what, const int64_t* numbers, int n) {
    printf(" %s", what);
    for (int i = 0; i < n; ++i) {
        printf(" %lld", (long long)numbers[i]);
    }
}

static void print_rank(int rank, double mean, int n) {
    printf("rank %d mean %.9f", rank, mean);
    print_numbers("exits", left_at, n);
    print_numbers("waits", waited, n);
    printf("\n");
    fflush(stdout);
}

/* By rank 0 alone, for launchers mix what ranks print. */
static void print_all(int rank, int size, double mean, int n) {
    if (rank != 0) {
        MPI_Send(&mean, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
        MPI_Send(left_at, n, MPI_INT64_T, 0, 2, MPI_COMM_WORLD);
        MPI_Send(waited, n, MPI_INT64_T, 0, 3, MPI_COMM_WORLD);
        return;
    }
    print_rank(0, mean, n);
    for (int from = 1; from < size; ++from) {
        MPI_Recv(&mean, 1, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(left_at, n, MPI_INT64_T, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(waited, n, MPI_INT64_T, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        print_rank(from, mean, n);
    }
}

static double run(const char* form, char** argv, int repetitions, int rank, int size) {
#define IS(name) (strcmp(form, name) == 0)
    return IS("inter")        ? between_groups(repetitions, rank, size)
           : IS("sub")        ? on_parts(repetitions, rank)
           : IS("threads")    ? by_threads(repetitions, rank)
           : IS("spawn")      ? with_child(argv[0], argv[1], repetitions)
           : IS("attributes") ? with_attribute(repetitions, rank)
           : IS("last")       ? until_the_last(repetitions, rank)
                              : repeat(MPI_COMM_WORLD, repetitions, rank);
}

int main(int argc, char** argv) {
    const int repetitions = argc > 1 ? atoi(argv[1]) : 10;
    const int code = argc > 2 ? atoi(argv[2]) : 0;
    const char* form = argc > 3 ? argv[3] : "world";
    int rank, size, provided;
    MPI_Comm parent = MPI_COMM_NULL;
    if (strncmp(form, "thread", 6) == 0) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    } else {
        MPI_Init(&argc, &argv);
    }
    if (strcmp(form, "spawn") == 0) { /* simulated libraries have no such function */
        MPI_Comm_get_parent(&parent);
    }
    if (parent != MPI_COMM_NULL) {
        with_family(parent, repetitions, 1);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const double mean = run(form, argv, repetitions, rank, size);
    print_all(rank, size, mean, repetitions);
    if (strcmp(form, "quit") == 0) {
        exit(code);
    }
    MPI_Finalize();
    return code;
}
