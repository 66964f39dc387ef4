/* MPIX_Harmonize: a barrier that all processes leave at one instant. C99; C++ may include it. Link with -lictus.
 *
 *     int flag;
 *     MPIX_Harmonize(comm, &flag);     all have come, and all go on now; flag: whether this process did
 *     double begin = MPI_Wtime();
 *     MPI_Reduce(..., comm);
 *
 * After J. Schuchart, S. Hunold, G. Bosilca, "MPI Process Synchronization in Space and Time", EuroMPI 2023; what is
 * different, what it costs and an example that treats the flags rightly: harmonize.md.
 *
 * What is kept for a communicator hangs on it as an attribute and is freed with it, at the latest by MPI_Finalize: one
 * private duplicate, on which all messages travel, a clock, and the constants. The first call on a communicator makes
 * it, which takes far longer than a call. A duplicate of the communicator starts with nothing and gets its own.
 *
 * Errors go to the communicator's error handler, like those of any MPI call, and are returned if that returns:
 * MPI_Error_class tells MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_INFO_VALUE (a constant that is not allowed, wherever it was
 * set) or MPI_ERR_OTHER, and MPI_Error_string what was wrong and what is allowed. To miss a deadline is no error.
 *
 * Threads: with MPI_THREAD_MULTIPLE several threads may call these functions at once, each for a communicator of its
 * own. */
#ifndef ICTUS_HARMONIZE_H
#define ICTUS_HARMONIZE_H

#include "api.h"

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Collective over `comm`, an intracommunicator. Returns when all its processes have come, on all of them at one
 * instant; `*flag` is 1 on a process that went on at that instant, 0 on one that was late. What the others were told,
 * no process knows: combine the flags afterwards, outside what is timed. */
ICTUS_API int MPIX_Harmonize(MPI_Comm comm, int* flag);

/* Collective. Sets constants for this communicator, by keys `ictus_harmonize_NAME` (harmonize.md); rank 0's values
 * count. Keys that are not given stay as they are; keys of others are ignored. All starts afresh: clocks, slack,
 * statistics. Where it is not called, hints of MPI_Comm_set_info with these keys are read when MPIX_Harmonize is first
 * called, if the MPI library keeps them (not all do); else the environment, ICTUS_HARMONIZE_NAME. */
ICTUS_API int MPIX_Harmonize_set_info(MPI_Comm comm, MPI_Info info);

/* Collective where nothing has been made for this communicator yet, else local. A new info object with all constants in
 * force, to be freed by the caller. */
ICTUS_API int MPIX_Harmonize_get_info(MPI_Comm comm, MPI_Info* info);

/* What has happened on a communicator since it was first harmonized, as this process saw it. */
typedef struct {
    uint64_t calls;            /* of MPIX_Harmonize */
    uint64_t missed;           /* calls that came to wait for their deadline when it was over */
    uint64_t overslept;        /* calls that lost their core while they waited */
    uint64_t synchronisations; /* of the clocks */
    double synchronising_s;    /* spent with that */
    double slack_s;            /* from announcing the deadline of the last call to it */
    double largest_slack_s;
} MPIX_Harmonize_statistics;

/* Local. All 0 before the first call of MPIX_Harmonize. */
ICTUS_API int MPIX_Harmonize_get_statistics(MPI_Comm comm, MPIX_Harmonize_statistics* statistics);

/* Local, no message: the global time now, in seconds, the same on all processes of `comm` up to the error of their
 * clocks; it is the local time of its rank 0, from about the start of that process' host clock. It jumps by the error
 * found whenever MPIX_Harmonize synchronises the clocks; for a time without jumps see ictus/clock.h. NaN before the
 * first call of MPIX_Harmonize, and where there is no communicator. */
ICTUS_API double ictus_global_time(MPI_Comm comm);

/* Local: how far ictus_global_time(comm) is from the local time of rank 0 at most, in seconds. NaN where nothing is
 * proven: as soon as the clocks have been synchronised by an algorithm that learns no drift, such as the default. */
ICTUS_API double ictus_global_time_bound(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
