/* Two threads of each process, each with a communicator of its own, harmonize at once. */
#include <ictus/harmonize.h>
#include <pthread.h>
#include <stdio.h>

enum { n_threads = 2, n_calls = 60 };

struct work {
    MPI_Comm comm;
    int errors;
    MPIX_Harmonize_statistics statistics;
};

static void* harmonize(void* argument) {
    struct work* work = argument;
    for (int i = 0; i < n_calls; ++i) {
        int flag = -1;
        if (MPIX_Harmonize(work->comm, &flag) != MPI_SUCCESS || flag < 0 || ictus_global_time(work->comm) < 0.0) {
            ++work->errors;
        }
        if (i % 20 == 19) { /* and one makes and loses its state while the other is at work */
            work->errors += MPIX_Harmonize_set_info(work->comm, MPI_INFO_NULL) != MPI_SUCCESS;
        }
    }
    work->errors += MPIX_Harmonize(work->comm, &(int){0}) != MPI_SUCCESS;
    work->errors += MPIX_Harmonize_get_statistics(work->comm, &work->statistics) != MPI_SUCCESS;
    return NULL;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE) {
        if (rank == 0) {
            puts("no MPI_THREAD_MULTIPLE here");
        }
        MPI_Finalize();
        return 0;
    }
    struct work works[n_threads];
    pthread_t threads[n_threads];
    int errors = 0;
    for (int i = 0; i < n_threads; ++i) {
        works[i].errors = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &works[i].comm);
    }
    for (int i = 0; i < n_threads; ++i) {
        pthread_create(&threads[i], NULL, harmonize, &works[i]);
    }
    for (int i = 0; i < n_threads; ++i) {
        pthread_join(threads[i], NULL);
        errors += works[i].errors + (works[i].statistics.calls != 1);
    }
    for (int i = 0; i < n_threads; ++i) {
        MPI_Comm_free(&works[i].comm);
    }
    MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d threads of each process, %d errors\n", n_threads, errors);
    }
    MPI_Finalize();
    return errors != 0;
}
