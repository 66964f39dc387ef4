/* Makes, harmonizes and frees communicators, as many as the argument says, and prints by how much rank 0's memory has
 * grown over each tenth of them but the first: bytes that malloc has given out and not got back, and KiB of addresses.
 * Not resident memory: that also grows as the library first touches one more cell of the buffers it has shared from the
 * beginning, which depends on how far ahead of each other the ranks run. The word "leaky" keeps a duplicate of each. */
#include <ictus/harmonize.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRETCHES = 10 };

static long long allocated_bytes(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    const struct mallinfo2 info = mallinfo2();
    return (long long)info.uordblks + (long long)info.hblkhd;
#else
    const struct mallinfo info = mallinfo();
    return (long long)(unsigned)info.uordblks + (unsigned)info.hblkhd;
#endif
}

static long long addresses_kib(void) {
    FILE* status = fopen("/proc/self/status", "r");
    char line[256];
    long long kib = -1;
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, "VmSize:", 7) == 0) {
            kib = atoll(line + 7);
        }
    }
    if (kib < 0) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    fclose(status);
    return kib;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int count = argc > 1 ? atoi(argv[1]) : 1000;
    const int is_leaky = argc > 2 && strcmp(argv[2], "leaky") == 0;
    long long allocated[STRETCHES], addresses[STRETCHES];
    int met = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int stretch = 0; stretch < STRETCHES; ++stretch) {
        for (int i = stretch * count / STRETCHES; i < (stretch + 1) * count / STRETCHES; ++i) {
            MPI_Comm comm, kept;
            int flag = 0;
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            MPIX_Harmonize(comm, &flag);
            met += flag;
            if (is_leaky) {
                MPI_Comm_dup(comm, &kept);
            }
            MPI_Comm_free(&comm);
        }
        allocated[stretch] = allocated_bytes();
        addresses[stretch] = addresses_kib();
    }
    if (rank == 0) {
        printf("%d communicators, %d deadlines met", count, met);
        for (int stretch = 1; stretch < STRETCHES; ++stretch) {
            printf("%s%lld", stretch == 1 ? ", bytes " : " ", allocated[stretch] - allocated[stretch - 1]);
        }
        for (int stretch = 1; stretch < STRETCHES; ++stretch) {
            printf("%s%lld", stretch == 1 ? ", KiB " : " ", addresses[stretch] - addresses[stretch - 1]);
        }
        printf("\n");
    }
    MPI_Finalize();
    return 0;
}
