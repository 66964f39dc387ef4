/* What lies at the edge of counting (tests/native/test_profile.py), on two processes. Words: `parts` for a message in
 * parts, `spawn` for a world of one process, which runs this program with the word `child`, `late` for a session that
 * begins after another has ended. */
#include <mpi.h>
#include <string.h>

static void send_parts(void) {
    double data[2 * 3] = {0};
    int rank, parts[1] = {1}, arrived;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(data, 2, 3, MPI_DOUBLE, 1, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    } else {
        MPI_Precv_init(data, 2, 3, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    MPI_Start(&request);
    if (rank == 0) {
        MPI_Pready(0, request);
        MPI_Pready_list(1, parts, request);
    } else {
        MPI_Parrived(request, 0, &arrived);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    if (rank == 0) {
        MPI_Pready_range(0, 1, request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

/* MPICH 5 sometimes fails to make a communicator of both processes in a session after the first ("UCX failed to unpack
 * address"), which is not what the test is about. So there each process is by itself. */
static void use_session(const char* processes, const char* tag) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, processes, &group);
    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Barrier(comm);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

int main(int argc, char** argv) {
    const char* const word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "late") == 0) {
        use_session("mpi://WORLD", "counted");
        use_session("mpi://SELF", "late");
        return 0;
    }
    MPI_Init(&argc, &argv);
    if (strcmp(word, "parts") == 0) {
        send_parts();
    } else if (strcmp(word, "spawn") == 0) {
        char child_word[] = "child", *words[] = {child_word, 0};
        MPI_Comm child;
        MPI_Comm_spawn(argv[0], words, 1, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
        MPI_Barrier(child);
    } else if (strcmp(word, "child") == 0) {
        MPI_Comm parent;
        MPI_Comm_get_parent(&parent);
        MPI_Barrier(parent);
    }
    MPI_Finalize();
    return 0;
}
