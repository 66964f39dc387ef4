/* More kinds of calls than a process distinguishes (32000 broadcasts, each of another datatype or count), and four
 * threads that count in one row at once (40000 barriers). */
#include <mpi.h>
#include <pthread.h>

static char data[64 * 500];

static void* wait_often(void* own) {
    for (int i = 0; i < 10000; ++i) {
        MPI_Barrier(*(MPI_Comm*)own);
    }
    return 0;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int length = 1; length <= 500; ++length) {
        MPI_Datatype type;
        MPI_Type_contiguous(length, MPI_CHAR, &type);
        MPI_Type_commit(&type);
        for (int count = 1; count <= 64; ++count) {
            MPI_Bcast(data, count, type, 0, MPI_COMM_SELF);
        }
        MPI_Type_free(&type);
    }
    pthread_t threads[4];
    MPI_Comm own[4];
    for (int i = 0; i < 4; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &own[i]);
        pthread_create(&threads[i], 0, wait_often, &own[i]);
    }
    for (int i = 0; i < 4; ++i) {
        pthread_join(threads[i], 0);
        MPI_Comm_free(&own[i]);
    }
    MPI_Finalize();
    return provided == MPI_THREAD_MULTIPLE ? 0 : 1;
}
