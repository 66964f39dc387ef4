/* Makes, harmonizes and frees communicators, as many as the argument says, and prints by how much memory has grown
 * since the first tenth of them. */
#include <ictus/harmonize.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Resident memory in KiB, as the kernel counts it. */
static long resident_kib(void) {
    FILE* status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) {
            kib = atol(line + 6);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
    return kib;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int count = argc > 1 ? atoi(argv[1]) : 1000, met = 0, rank;
    long first = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < count; ++i) {
        MPI_Comm comm;
        int flag = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPIX_Harmonize(comm, &flag);
        met += flag;
        MPI_Comm_free(&comm);
        if (i == count / 10) {
            first = resident_kib();
        }
    }
    if (rank == 0) {
        printf("%d communicators, %d deadlines met, grown by %ld KiB\n", count, met, resident_kib() - first);
    }
    MPI_Finalize();
    return 0;
}
