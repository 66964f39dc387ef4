/* When does each process leave a barrier? Stamps of all processes, aligned on one time line.
 *     mpicc aligned_events.c $(pkg-config --cflags --libs ictus) -o aligned_events
 *     mpiexec -n 4 ./aligned_events [ALGORITHM [CLOCK]] */
#include <ictus/clock.h>
#include <stdio.h>

enum { n_events = 5 };

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    ictus_clock* clock;
    if (ictus_clock_create(MPI_COMM_WORLD, argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL, &clock) != ICTUS_OK) {
        fprintf(stderr, "aligned_events: %s\n", ictus_clock_error_text());
        MPI_Finalize(); /* all processes fail alike: nobody waits, and the text is not lost in an abort */
        return 1;
    }
    int64_t stamps[n_events];
    for (int event = 0; event < n_events; ++event) { /* while the program runs: a clock is read, nothing else */
        MPI_Barrier(MPI_COMM_WORLD);
        stamps[event] = ictus_clock_ticks(clock);
    }
    ictus_clock_synchronise(clock); /* what lies behind is interpolated from here on */
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double all[size];
    for (int event = 0; event < n_events; ++event) {
        double global = ictus_clock_global(clock, stamps[event]);
        MPI_Gather(&global, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        for (int i = 0; rank == 0 && i < size; ++i) {
            printf("event %d rank %d left at %.9f s\n", event, i, all[i]);
        }
    }
    if (rank == 0) {
        printf("%s\n", ictus_clock_description(clock));
    }
    ictus_clock_free(&clock);
    MPI_Finalize();
    return 0;
}
