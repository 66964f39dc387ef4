/* A program whose ranks take a while to end: its exit handler, set before MPI_Init, waits the longer the higher the
 * rank, and then says so. "begun" it says only where MPI_Init returns. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank = -1;

/* Known before MPI_Init returns: by the name that the launcher gives. */
static int rank_of_launcher(void) {
    const char* names[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK"};
    for (int i = 0; i < 2; ++i) {
        const char* text = getenv(names[i]);
        if (text != NULL) {
            return atoi(text);
        }
    }
    return -1;
}

static void say_late(void) {
    const struct timespec late = {0, rank * 100000000L};
    nanosleep(&late, NULL);
    printf("rank %d has ended\n", rank);
}

int main(int argc, char** argv) {
    rank = rank_of_launcher();
    if (rank < 0 || rank > 9 || atexit(say_late) != 0) {
        return 9;
    }
    MPI_Init(&argc, &argv);
    printf("begun\n");
    MPI_Finalize();
    return 0;
}
