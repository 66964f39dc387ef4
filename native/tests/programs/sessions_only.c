/* A program of the sessions model: MPI_Init is never called, so there is no MPI_COMM_WORLD. It harmonizes, and has a
 * clock, in two sessions one after the other, inside a third; at last it asks for what needs MPI_Init. */
#include <ictus/clock.h>
#include <ictus/harmonize.h>
#include <stdio.h>

#if MPI_VERSION >= 4 || defined(OPEN_MPI) /* Open MPI 5 has them, and says 3.1 */
static int in_a_session(const char* tag) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int harmonized = 0, flag = -1;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) {
        return 0;
    }
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    for (int i = 0; i < 3; ++i) {
        harmonized += MPIX_Harmonize(comm, &flag) == MPI_SUCCESS && (flag == 0 || flag == 1);
    }
    ictus_clock* clock = NULL;
    double at = 0, first = 0, last = 0;
    int failed = ictus_clock_create(comm, NULL, NULL, &clock) || ictus_clock_synchronise(clock);
    MPI_Barrier(comm);
    at = failed ? 0 : ictus_clock_now(clock);
    MPI_Allreduce(&at, &first, 1, MPI_DOUBLE, MPI_MIN, comm);
    MPI_Allreduce(&at, &last, 1, MPI_DOUBLE, MPI_MAX, comm);
    failed = failed || ictus_clock_free(&clock);
    const int refused = MPIX_Harmonize(MPI_COMM_WORLD, &flag) != MPI_SUCCESS;
    printf("%s: harmonized %d, clock %d, near %d, world refused %d\n", tag, harmonized, !failed, last - first < 1.0,
           refused);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 1;
}
#else
static int in_a_session(const char* tag) { return *tag == '\0'; }
#endif

int main(void) {
#if MPI_VERSION >= 4 || defined(OPEN_MPI)
    MPI_Session around; /* Open MPI 5.0.11 crashes in MPI_Session_finalize where all had ended before */
    const int held = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &around) == MPI_SUCCESS;
#endif
    if (!in_a_session("first") || !in_a_session("second")) {
        puts("no sessions here");
    }
#if MPI_VERSION >= 4 || defined(OPEN_MPI)
    if (held) {
        MPI_Session_finalize(&around);
    }
#endif
    return 0;
}
