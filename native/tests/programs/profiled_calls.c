/* Makes calls whose numbers, sizes, datatypes, operators, roots and places are known (tests/native/test_profile.py has
 * them). With the word `killed` or `terminated`, rank 0 then ends its own process by SIGKILL or SIGTERM; with
 * `aborted`, all call MPI_Abort; with `left`, all end without MPI_Finalize. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The forms with large counts, where the library has them: they count as the same calls. */
#if MPI_VERSION >= 4
#define LARGE(name) name##_c
typedef MPI_Count large;
typedef MPI_Aint distance;
#else
#define LARGE(name) name
typedef int large;
typedef int distance;
#endif

enum { elements = 5000 };
static double sent[elements], received[8 * elements];
static int counts[8], displacements[8];
static large large_counts[8];
static distance distances[8];

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, "half");
    for (int i = 0; i < size; ++i) {
        counts[i] = i + 1;
        displacements[i] = elements * i;
        large_counts[i] = i + 1;
        distances[i] = elements * i;
    }

    for (int i = 0; i < 7; ++i) {
        MPI_Allreduce(sent, received, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* site: allreduce */
    }
    for (int i = 0; i < 2; ++i) {
        MPI_Allreduce(MPI_IN_PLACE, received, 3, MPI_DOUBLE, MPI_MAX, half);
    }
    for (int i = 0; i < 5; ++i) {
        MPI_Bcast(sent, 1001 + i, MPI_CHAR, size - 1, MPI_COMM_WORLD); /* each size by itself */
    }
    for (int i = 0; i < 2; ++i) {
        MPI_Bcast(sent, 40000 + i, MPI_CHAR, 0, MPI_COMM_WORLD); /* sizes of one class */
    }
    MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : sent, rank == 0 ? 0 : rank + 1, MPI_DOUBLE, received, counts, displacements,
                MPI_DOUBLE, 0, MPI_COMM_WORLD); /* in place, what is sent is in the counts alone */
    MPI_Scatter(received, 4, MPI_INT, rank == 0 ? MPI_IN_PLACE : sent, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Reduce_scatter(sent, received, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoallv(sent, counts, displacements, MPI_CHAR, received, (int[]){rank + 1, rank + 1, rank + 1, rank + 1},
                  displacements, MPI_CHAR, MPI_COMM_WORLD);

    LARGE(MPI_Reduce)(sent, received, 9, MPI_DOUBLE, MPI_PROD, 1, MPI_COMM_WORLD); /* site: large */
    LARGE(MPI_Allgather)(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, 5, MPI_INT, MPI_COMM_WORLD);
    LARGE(MPI_Scatterv)(received, large_counts, distances, MPI_INT, sent, rank + 1, MPI_INT, 2, MPI_COMM_WORLD);
    LARGE(MPI_Send)(sent, 11, MPI_CHAR, MPI_PROC_NULL, 1, MPI_COMM_WORLD);

    MPI_Datatype vector;
    for (int i = 0; i < 3; ++i) { /* a freed handle may come again, as another datatype */
        MPI_Type_vector(10 + i, 1, 2, MPI_DOUBLE, &vector);
        MPI_Type_commit(&vector);
        MPI_Bcast(sent, 2, vector, 0, MPI_COMM_WORLD);
        MPI_Type_free(&vector);
    }
    for (int i = 0; i < 3; ++i) { /* and a communicator */
        MPI_Comm other;
        MPI_Comm_split(MPI_COMM_WORLD, i == 0 ? 0 : rank, rank, &other);
        MPI_Barrier(other);
        MPI_Comm_free(&other);
    }

    MPI_Request requests[2];
    const MPI_Datatype types[] = {MPI_CHAR, MPI_CHAR, MPI_CHAR, MPI_DOUBLE};
    const large same_counts[] = {rank + 1, rank + 1, rank + 1, rank + 1};
    MPI_Irecv(received, 8, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(sent, 8, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    LARGE(MPI_Isendrecv)(sent, 3, MPI_INT, (rank + 1) % size, 2, received, 3, MPI_INT, (rank + size - 1) % size, 2,
                         MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    LARGE(MPI_Ireduce_scatter)(sent, received, large_counts, MPI_FLOAT, MPI_MIN, MPI_COMM_WORLD, &requests[0]);
    LARGE(MPI_Alltoallw_init)(sent, large_counts, distances, types, received, same_counts, distances, types,
                              MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Request_free(&requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);

    MPI_Win window;
    MPI_Win_create(received, sizeof received, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(sent, 6, MPI_DOUBLE, (rank + 1) % size, 0, 6, MPI_DOUBLE, window);
    LARGE(MPI_Get)(sent, 2, MPI_INT, rank, 0, 2, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);

    const int periods = 1;
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periods, 0, &ring);
    MPI_Neighbor_alltoallv(sent, (int[]){3, 4}, displacements, MPI_DOUBLE, received, (int[]){4, 3}, displacements,
                           MPI_DOUBLE, ring);
    LARGE(MPI_Neighbor_alltoallv)(sent, (large[]){1, 2}, distances, MPI_INT, received, (large[]){2, 1}, distances,
                                  MPI_INT, ring);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&half);

    const char* const how = argc > 1 ? argv[1] : "";
    const int is_killed = strcmp(how, "killed") == 0;
    if (is_killed || strcmp(how, "terminated") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            kill(getpid(), is_killed ? SIGKILL : SIGTERM);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (strcmp(how, "aborted") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (strcmp(how, "left") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        _exit(0); /* the library's own function at exit, if it has one, is left out too */
    }
    MPI_Finalize();
    return 0;
}
