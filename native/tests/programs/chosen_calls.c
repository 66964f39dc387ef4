/* chosen_calls SIZE OPERATION...: each collective once, of a volume of SIZE bytes (of p blocks where it has blocks), on
 * all ranks; what they get is checked, and what the library refuses is told. Which algorithms it takes is up to it and
 * its files. Arguments that mean nothing on a rank are null there, and roots are in place where they can be: whoever
 * chooses by such an argument chooses otherwise than the others. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 8 };

static int rank, n_ranks, size, block;
static unsigned char *out, *in;
static int counts[MOST_RANKS], starts[MOST_RANKS];
static MPI_Datatype types[MOST_RANKS];
static int refused;

/* Of every call that ends with an error, which then returns. */
static void note(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    refused = *code != MPI_SUCCESS;
}

/* Whether block `number` of what was got is all `value`. */
static int holds(int number, int n_bytes, int value) {
    for (int i = 0; i < n_bytes; ++i) {
        if (in[number * block + i] != value) {
            return 0;
        }
    }
    return 1;
}

/* Whether block r is what rank r sends, its number plus one. */
static int holds_all(void) {
    int right = 1;
    for (int r = 0; r < n_ranks; ++r) {
        right = right && holds(r, block, r + 1);
    }
    return right;
}

static int is_right(const char* name) {
    const MPI_Comm all = MPI_COMM_WORLD;
    const int first = rank == 0, everybody = (1 << n_ranks) - 1;
    memset(in, 0, (size_t)size);
    memset(out, rank + 1, (size_t)size);
    if (strcmp(name, "allgather") == 0) {
        MPI_Allgather(out, block, MPI_BYTE, in, block, MPI_BYTE, all);
        return holds_all();
    }
    if (strcmp(name, "allgatherv") == 0) {
        MPI_Allgatherv(out, block, MPI_BYTE, in, counts, starts, MPI_BYTE, all);
        return holds_all();
    }
    if (strcmp(name, "alltoall") == 0) {
        MPI_Alltoall(out, block, MPI_BYTE, in, block, MPI_BYTE, all);
        return holds_all();
    }
    if (strcmp(name, "alltoallv") == 0) {
        MPI_Alltoallv(out, counts, starts, MPI_BYTE, in, counts, starts, MPI_BYTE, all);
        return holds_all();
    }
    if (strcmp(name, "alltoallw") == 0) {
        MPI_Alltoallw(out, counts, starts, types, in, counts, starts, types, all);
        return holds_all();
    }
    if (strcmp(name, "gather") == 0) {
        if (first) {
            memset(in, 1, (size_t)block);
            MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, block, MPI_BYTE, 0, all);
        } else {
            MPI_Gather(out, block, MPI_BYTE, NULL, 0, MPI_DATATYPE_NULL, 0, all);
        }
        return !first || holds_all();
    }
    if (strcmp(name, "gatherv") == 0) {
        MPI_Gatherv(out, block, MPI_BYTE, in, counts, starts, MPI_BYTE, 0, all);
        return !first || holds_all();
    }
    if (strcmp(name, "scatter") == 0) {
        if (first) {
            MPI_Scatter(out, block, MPI_BYTE, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, 0, all);
        } else {
            MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, in, block, MPI_BYTE, 0, all);
        }
        return first || holds(0, block, 1);
    }
    if (strcmp(name, "scatterv") == 0) {
        MPI_Scatterv(out, counts, starts, MPI_BYTE, in, block, MPI_BYTE, 0, all);
        return holds(0, block, 1);
    }
    if (strcmp(name, "bcast") == 0) {
        memset(in, first, (size_t)size);
        MPI_Bcast(in, size, MPI_BYTE, 0, all);
        return holds(0, size, 1);
    }
    if (strcmp(name, "barrier") == 0) {
        MPI_Barrier(all);
        return 1;
    }
    memset(out, 1 << rank, (size_t)size);
    if (strcmp(name, "allreduce") == 0) {
        MPI_Allreduce(out, in, size, MPI_BYTE, MPI_BOR, all);
        return holds(0, size, everybody);
    }
    if (strcmp(name, "reduce") == 0) {
        MPI_Reduce(out, in, size, MPI_BYTE, MPI_BOR, 0, all);
        return !first || holds(0, size, everybody);
    }
    if (strcmp(name, "reduce_scatter") == 0) {
        MPI_Reduce_scatter(out, in, counts, MPI_BYTE, MPI_BOR, all);
        return holds(0, block, everybody);
    }
    if (strcmp(name, "reduce_scatter_block") == 0) {
        MPI_Reduce_scatter_block(out, in, block, MPI_BYTE, MPI_BOR, all);
        return holds(0, block, everybody);
    }
    if (strcmp(name, "scan") == 0) {
        MPI_Scan(out, in, size, MPI_BYTE, MPI_BOR, all);
        return holds(0, size, (1 << (rank + 1)) - 1);
    }
    if (strcmp(name, "exscan") == 0) {
        MPI_Exscan(out, in, size, MPI_BYTE, MPI_BOR, all);
        return first || holds(0, size, (1 << rank) - 1);
    }
    return 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    size = argc > 1 ? atoi(argv[1]) : 0;
    if (n_ranks > MOST_RANKS || size < n_ranks) {
        fprintf(stderr, "chosen_calls SIZE OPERATION..., on up to %d ranks\n", MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    block = size / n_ranks;
    for (int r = 0; r < n_ranks; ++r) {
        counts[r] = block;
        starts[r] = r * block;
        types[r] = MPI_BYTE;
    }
    out = malloc((size_t)size);
    in = malloc((size_t)size);
    MPI_Errhandler noted;
    MPI_Comm_create_errhandler(note, &noted);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, noted);
    int wrong = 0;
    for (int i = 2; i < argc; ++i) {
        refused = 0;
        const int right = is_right(argv[i]);
        if (rank == 0) {
            printf("%s %s\n", argv[i], refused ? "refused" : "called");
        }
        if (!right && !refused) {
            fprintf(stderr, "rank %d: wrong: %s\n", rank, argv[i]);
            wrong = 1;
        }
    }
    MPI_Errhandler_free(&noted);
    free(out);
    free(in);
    MPI_Finalize();
    return wrong;
}
