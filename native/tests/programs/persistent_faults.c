// Whether a persistent collective delivers what the send buffers hold when it is started, at every start:
//     mpiexec -n 2 persistent_faults gather|allgather|scatter
// Each rank prints for each of three starts what it received of each block: `.` what was sent, `o` what the send buffer
// held when the operation was made, `-` nothing. MPI says `.` of all.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { max_ranks = 64, starts = 3, nothing = -1, when_made = 1000 };

static char seen(int value, int sent, int block) {
    if (value == sent) {
        return '.';
    }
    return value == nothing ? '-' : value == when_made + block ? 'o' : '?';
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int n = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const char* const call = argc > 1 ? argv[1] : "";
    const int scatters = strcmp(call, "scatter") == 0;
    const int gathers = strcmp(call, "gather") == 0;
    const int n_received = scatters ? 1 : gathers && rank > 0 ? 0 : n;
    if (n > max_ranks || (!scatters && !gathers && strcmp(call, "allgather") != 0)) {
        fprintf(stderr, "usage: at most %d ranks; gather, allgather or scatter\n", max_ranks);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int sent[max_ranks]; // of a scatter all blocks, else the first is this rank's
    int got[max_ranks];
    for (int i = 0; i < max_ranks; ++i) {
        sent[i] = when_made + (scatters ? i : rank);
    }
    MPI_Request request = MPI_REQUEST_NULL;
    if (scatters) {
        MPI_Scatter_init(sent, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    } else if (gathers) {
        MPI_Gather_init(sent, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    } else {
        MPI_Allgather_init(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    for (int k = 0; k < starts; ++k) {
        for (int i = 0; i < max_ranks; ++i) {
            sent[i] = 100 * k + (scatters ? i : rank);
            got[i] = nothing;
        }
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        char line[max_ranks + 1] = "";
        for (int i = 0; i < n_received; ++i) {
            const int block = scatters ? rank : i;
            line[i] = seen(got[i], 100 * k + block, block);
        }
        printf("start %d rank %d: %s\n", k, rank, line);
        fflush(stdout);
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
