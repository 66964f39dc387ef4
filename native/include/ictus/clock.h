/* A global clock for the processes of a communicator: what a tracing tool needs to put events of many processes on one
 * time line, with a bound of the error where one is proven. C99; C++ may include it. Link with -lictus.
 *
 *     ictus_clock *clock;
 *     if (ictus_clock_create(MPI_COMM_WORLD, NULL, NULL, &clock) != ICTUS_OK) { ... ictus_clock_error_text() ... }
 *     int64_t stamp = ictus_clock_ticks(clock);            cheap, while the program runs
 *     ...
 *     ictus_clock_synchronise(clock);                      once in a while, and at the end
 *     double when = ictus_clock_global(clock, stamp);      afterwards: interpolated between the synchronisations
 *     ictus_clock_free(&clock);
 *
 * Nothing here initialises or finalises MPI, ends the process or throws. Messages travel on a private duplicate of the
 * communicator. The functions marked "collective" must be called by all its processes, in the same order, with the same
 * texts; all of them return the same code, unless MPI itself fails.
 *
 * Threads: the functions that are not collective may be called by any number of threads at once, also while another
 * thread is inside ictus_clock_synchronise or ictus_clock_reanchor of the same clock. Collective functions call MPI,
 * and so need the thread level that the program asked of MPI. Nothing may be called during or after ictus_clock_free.
 */
#ifndef ICTUS_CLOCK_H
#define ICTUS_CLOCK_H

#include "api.h"

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ictus_clock ictus_clock;

enum {
    ICTUS_OK = 0,
    ICTUS_USAGE_ERROR = 2,      /* the call can be mended: an unknown name, NULL, no intracommunicator, no MPI_Init */
    ICTUS_MEASUREMENT_ERROR = 3 /* something went wrong on the way: MPI failed, no memory */
};

/* What went wrong in the last call of this thread that failed: what was asked for, and what is allowed. Empty before
 * the first. Valid until the next call fails in this thread. */
ICTUS_API const char* ictus_clock_error_text(void);

/* Collective. Makes a clock and synchronises it. Global time is the local time of rank 0 of `comm`, in seconds since
 * about the call of this function there.
 * `algorithm`: a clocksync of algorithms.md, such as "hca3" or "hca3-offset(exchanges=50)"; NULL: the default.
 * `base`: the clock that is read, such as "tsc", "monotonic", "wtime"; NULL: the default.
 * On failure `*clock` is NULL. `comm` must be an intracommunicator; the caller may free it at once. */
ICTUS_API int ictus_clock_create(MPI_Comm comm, const char* algorithm, const char* base, ictus_clock** clock);

/* Collective. Synchronises anew with the same algorithm. Stamps taken since the last time are mapped by interpolation
 * from now on. Global time has no jump, and its zero stays. */
ICTUS_API int ictus_clock_synchronise(ictus_clock* clock);

/* Collective. The same, but measures one offset a process only and takes the drift on from before: far quicker. */
ICTUS_API int ictus_clock_reanchor(ictus_clock* clock);

/* Collective, unless MPI has been finalised: that may come first. Sets `*clock` to NULL; NULL is permitted. */
ICTUS_API int ictus_clock_free(ictus_clock** clock);

/* The base clock as it stands, in ticks of its own since a zero that the processes of one host share. No lock, no
 * message. INT64_MIN if `clock` is NULL. */
ICTUS_API int64_t ictus_clock_ticks(const ictus_clock* clock);

/* The global time in seconds at which `ticks` were read in this process: interpolated between the two synchronisations
 * around it, else by the model of the nearest. Increases with `ticks`. NaN if `clock` is NULL. */
ICTUS_API double ictus_clock_global(const ictus_clock* clock, int64_t ticks);

/* The global time now: ictus_clock_global of ictus_clock_ticks. */
ICTUS_API double ictus_clock_now(const ictus_clock* clock);

/* How far ictus_clock_global(clock, ticks) is at most from rank 0's local time at that instant, in seconds, while the
 * algorithm's assumptions hold. NaN where nothing is proven, or `clock` is NULL. */
ICTUS_API double ictus_clock_bound_at(const ictus_clock* clock, int64_t ticks);

/* The bound now. */
ICTUS_API double ictus_clock_bound(const ictus_clock* clock);

/* Algorithm and base clock with all their parameters, for the record; valid until the clock is freed. NULL if `clock`
 * is. */
ICTUS_API const char* ictus_clock_description(const ictus_clock* clock);

#ifdef __cplusplus
}
#endif

#endif
