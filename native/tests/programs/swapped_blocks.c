// In a periodic dimension of one or two processes both neighbours are the same process. What that one sends in the
// negative direction is received from the positive one and the other way round (MPI 4.1, section 8.6, example 8.10).
// Prints for the blocking call and the nonblocking one what rank 0 received: `as MPI says` or `swapped`. Run at 1 or 2.
#include <mpi.h>
#include <stdio.h>

static const char* seen(const int* got, int from) {
    const int negative = 10 * from + 1; // what it sends in the negative direction
    const int positive = 10 * from + 2;
    if (got[0] == positive && got[1] == negative) {
        return "as MPI says";
    }
    return got[0] == negative && got[1] == positive ? "swapped" : "something else";
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int n = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const int periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &ring);
    int rank = 0;
    int negative = 0;
    int positive = 0;
    MPI_Comm_rank(ring, &rank);
    MPI_Cart_shift(ring, 0, 1, &negative, &positive);

    const int sent[2] = {10 * rank + 1, 10 * rank + 2};
    int got[2] = {-1, -1};
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, ring);
    if (rank == 0) {
        printf("blocking: %s\n", seen(got, negative));
    }
    got[0] = got[1] = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) {
        printf("nonblocking: %s\n", seen(got, negative));
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
