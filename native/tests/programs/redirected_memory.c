/* A scan whose mock-up asks for more memory than there is: no more address space than the process has, and then as much
 * as before. Prints the error class that each of the two calls returns, by its name.
 *
 *     redirected_memory */
#define _XOPEN_SOURCE 700
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { n_bytes = 40 << 20, spare_bytes = 4 << 20 };

static const char* scanned(const void* own, void* result) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(MPI_Scan(own, result, n_bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD), &error_class);
    return error_class == MPI_SUCCESS ? "success" : error_class == MPI_ERR_NO_MEM ? "no memory" : "another error";
}

static long address_pages(void) {
    long pages = 0;
    FILE* const file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld", &pages) != 1) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    fclose(file);
    return pages;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    char* const own = malloc(n_bytes);
    char* const result = malloc(n_bytes);
    memset(own, 1, n_bytes);
    memset(result, 0, n_bytes);

    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    struct rlimit tight = limit;
    tight.rlim_cur = (rlim_t)address_pages() * (rlim_t)sysconf(_SC_PAGESIZE) + spare_bytes;
    setrlimit(RLIMIT_AS, &tight);
    const char* const first = scanned(own, result);
    setrlimit(RLIMIT_AS, &limit);
    const char* const second = scanned(own, result);

    printf("%s, then %s: %s\n", first, second, memcmp(own, result, n_bytes) == 0 ? "right" : "wrong");
    free(own);
    free(result);
    MPI_Finalize();
    return 0;
}
