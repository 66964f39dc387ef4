/* A program of the sessions model: MPI_Init is never called, so there is no MPI_COMM_WORLD. It asks for what needs one.
 */
#include <ictus/clock.h>
#include <ictus/harmonize.h>
#include <stdio.h>

int main(void) {
#if MPI_VERSION < 4 && !defined(OPEN_MPI) /* Open MPI 5 has them, and says 3.1 */
    puts("no sessions here");
    return 0;
#else
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int flag = -1;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) {
        puts("no sessions here");
        return 0;
    }
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "ictus.test", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    ictus_clock* clock = NULL;
    printf("refused %d, flag %d\n", MPIX_Harmonize(comm, &flag) != MPI_SUCCESS, flag);
    printf("refused %d: %s\n", ictus_clock_create(comm, NULL, NULL, &clock) != ICTUS_OK, ictus_clock_error_text());
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
#endif
}
