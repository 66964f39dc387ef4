/* A test instrument: a library to preload that sets the time of day of rank 1, once: by ICTUS_STEP_S seconds in its
 * 200th MPI_Alltoall, where the file that ICTUS_STEP_ONCE names can be removed. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long step_s;

int clock_gettime(clockid_t which, struct timespec* now) {
    const int code = (int)syscall(SYS_clock_gettime, which, now);
    if (code == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += step_s;
    }
    return code;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
    (void)zone;
    struct timespec precise;
    const int code = clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return code;
}

int MPI_Alltoall(const void* sent, int n_sent, MPI_Datatype sent_type, void* received, int n_received,
                 MPI_Datatype received_type, MPI_Comm comm) {
    static int calls;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (++calls == 200 && rank == 1 && unlink(getenv("ICTUS_STEP_ONCE")) == 0) {
        step_s = strtol(getenv("ICTUS_STEP_S"), NULL, 10);
    }
    return PMPI_Alltoall(sent, n_sent, sent_type, received, n_received, received_type, comm);
}
