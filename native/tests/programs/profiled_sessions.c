/* Makes known calls on communicators of two sessions (tests/native/test_profile.py has them), one of which ends before
 * the other. MPI_Init is called behind, with the word `world` alone. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_Session begin(const char* tag, MPI_Comm* comm) {
    MPI_Session session;
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm);
    MPI_Group_free(&group);
    return session;
}

int main(int argc, char** argv) {
    double sent[4] = {0}, received[4] = {0};
    int rank;
    MPI_Comm first_comm, second_comm, half;
    MPI_Session first = begin("first", &first_comm);
    for (int i = 0; i < 5; ++i) {
        MPI_Allreduce(sent, received, 3, MPI_DOUBLE, MPI_SUM, first_comm);
    }
    MPI_Comm_rank(first_comm, &rank);
    MPI_Comm_split(first_comm, rank % 2, rank, &half);
    MPI_Comm_set_name(half, "half");
    MPI_Bcast(sent, 4, MPI_DOUBLE, 1, half);
    MPI_Comm_free(&half);
    MPI_Session second = begin("second", &second_comm);
    MPI_Comm_set_name(second_comm, "second");
    MPI_Allreduce(sent, received, 4, MPI_DOUBLE, MPI_MAX, second_comm);
    MPI_Comm_free(&first_comm);
    MPI_Session_finalize(&first);
    MPI_Barrier(second_comm); /* after a session that has ended */
    MPI_Comm_free(&second_comm);
    const int has_world = argc > 1 && strcmp(argv[1], "world") == 0;
    if (has_world) {
        MPI_Init(&argc, &argv);
    }
    MPI_Session_finalize(&second);
    if (has_world) {
        MPI_Scan(sent, received, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* after all sessions have ended */
        MPI_Finalize();
    }
    return 0;
}
