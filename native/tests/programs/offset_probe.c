/* A program of somebody else: it knows nothing of Ictus. Rank 0 asks rank 1 for the time, by each of the clocks that
 * MPI programs read, and takes the quickest of many answers (Cristian 1989). Prints for each clock: its name, rank 1's
 * time minus rank 0's, half the round trip, and rank 0's time in the middle, in nanoseconds. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

enum { exchanges = 300 };

static int64_t kernel_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t monotonic(void) { return kernel_ns(CLOCK_MONOTONIC); }
static int64_t monotonic_raw(void) { return kernel_ns(CLOCK_MONOTONIC_RAW); }
static int64_t realtime(void) { return kernel_ns(CLOCK_REALTIME); }
static int64_t wtime(void) { return (int64_t)(MPI_Wtime() * 1e9); }
static int64_t day(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (int64_t)now.tv_sec * 1000000000 + (int64_t)now.tv_usec * 1000;
}

static void ask(const char* name, int64_t (*read)(void)) {
    int64_t least = INT64_MAX, offset = 0, middle = 0;
    for (int i = 0; i < exchanges; ++i) {
        int64_t answer = 0;
        const int64_t sent = read();
        MPI_Send(&answer, 1, MPI_INT64_T, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_INT64_T, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const int64_t received = read();
        if (received - sent < least) {
            least = received - sent;
            middle = sent + least / 2;
            offset = answer - middle;
        }
    }
    printf("%s %lld %lld %lld\n", name, (long long)offset, (long long)(least / 2), (long long)middle);
}

static void answer(int64_t (*read)(void)) {
    for (int i = 0; i < exchanges; ++i) {
        int64_t now = 0;
        MPI_Recv(&now, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        now = read();
        MPI_Send(&now, 1, MPI_INT64_T, 0, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        int64_t (*read)(void);
    } clocks[] = {{"monotonic", monotonic},
                  {"monotonic_raw", monotonic_raw},
                  {"realtime", realtime},
                  {"gettimeofday", day},
                  {"wtime", wtime}};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; ++i) {
        if (rank == 0) {
            ask(clocks[i].name, clocks[i].read);
        } else if (rank == 1) {
            answer(clocks[i].read);
        }
    }
    MPI_Finalize();
    return 0;
}
