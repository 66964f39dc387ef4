/* Collective calls to which one rank comes late, and the truth of it: each process stamps its arrivals by a clock that
 * all processes of a host share, and how long it would have to wait is printed (tests/native/test_profile_waiting.py).
 * Words: microseconds by which rank 1 comes late, 0 for none; `gather` for calls in which the root alone waits,
 * `allreduce`, in which all do, `iallreduce` or `persistent` for calls that are started and ended by a wait, which rank
 * 2 enters a third of that time after its start; the number of calls; `left` to end without MPI_Finalize, `turns` for
 * another rank that is late in each call, by one to three times that time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { elements = 16, most_ranks = 4, most_calls = 4000 };
static double sent[elements], received[most_ranks * elements], arrived[most_calls], all[most_ranks * most_calls];
static double waits[most_calls], all_waits[most_ranks * most_calls];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void sleep_us(long us) {
    const struct timespec length = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&length, 0);
}

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 4 || size > most_ranks || atoi(argv[3]) > most_calls) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const long late_us = atol(argv[1]);
    const int at_root = strcmp(argv[2], "gather") == 0;
    const int at_once = strcmp(argv[2], "iallreduce") == 0;
    const int persistent = strcmp(argv[2], "persistent") == 0;
    const int calls = atoi(argv[3]);
    const int turns = argc > 4 && strcmp(argv[4], "turns") == 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (persistent) {
        MPI_Allreduce_init(sent, received, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    for (int i = 0; i < calls; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == (turns ? i % size : 1) && late_us > 0) {
            sleep_us(turns ? late_us * (1 + i % 3) : late_us);
        }
        arrived[i] = waits[i] = now();
        if (at_root) {
            MPI_Gather(sent, elements, MPI_DOUBLE, received, elements, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        } else if (at_once || persistent) {
            if (persistent) {
                MPI_Start(&request);
            } else {
                MPI_Iallreduce(sent, received, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
            }
            if (rank == 2 && late_us > 0) {
                sleep_us(late_us / 3);
            }
            waits[i] = now();
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Allreduce(sent, received, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    if (persistent) {
        MPI_Request_free(&request);
    }
    PMPI_Gather(waits, calls, MPI_DOUBLE, all_waits, calls, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    PMPI_Gather(arrived, calls, MPI_DOUBLE, all, calls, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* is not counted */
    if (rank == 0) {
        for (int i = 0; i < calls; ++i) {
            double last = all[i];
            for (int r = 1; r < size; ++r) {
                last = all[r * calls + i] > last ? all[r * calls + i] : last;
            }
            for (int r = 0; r < size; ++r) {
                const double waited = last - all_waits[r * calls + i];
                printf("%d %d %.9f\n", i, r, (at_root && r != 0) || waited < 0 ? 0.0 : waited);
            }
        }
        fflush(stdout);
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    if (argc > 4 && !turns) {
        _exit(0);
    }
    MPI_Finalize();
    return 0;
}
