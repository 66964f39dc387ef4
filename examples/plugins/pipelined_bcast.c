/* A broadcast along a chain, in segments: each rank passes a segment on while the next one arrives. For large messages
 * and few ranks; the segment is a parameter.
 *
 *     ictus run --plugin examples/plugins/pipelined_bcast.c --op "bcast,my_bcast,my_bcast(segment=256Ki)" --sizes 1Mi
 */
#include <ictus/operation.h>
#include <stdlib.h>

typedef struct {
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Aint extent;
    long long count, segment; /* elements */
    int previous, next;       /* MPI_PROC_NULL at the ends of the chain, which begins at the root */
    int n_segments;
    MPI_Request* sends;
} pipeline;

static int create(const ictus_operation_site* site, void** state) {
    pipeline* made = calloc(1, sizeof *made);
    int rank, size, type_bytes;
    MPI_Aint lower_bound;
    if (made == NULL) {
        return MPI_ERR_NO_MEM;
    }
    MPI_Comm_rank(site->comm, &rank);
    MPI_Comm_size(site->comm, &size);
    MPI_Type_size(site->datatype, &type_bytes);
    MPI_Type_get_extent(site->datatype, &lower_bound, &made->extent);
    const int place = (rank - site->root + size) % size;
    made->previous = place == 0 ? MPI_PROC_NULL : (rank - 1 + size) % size;
    made->next = place == size - 1 ? MPI_PROC_NULL : (rank + 1) % size;
    made->comm = site->comm;
    made->type = site->datatype;
    made->count = site->count;
    made->segment = type_bytes == 0 || site->values[0] < type_bytes ? 1 : site->values[0] / type_bytes;
    made->n_segments = (int)((made->count + made->segment - 1) / made->segment);
    made->sends = malloc((size_t)(made->n_segments + 1) * sizeof(MPI_Request));
    if (made->sends == NULL) {
        free(made);
        return MPI_ERR_NO_MEM;
    }
    *state = made;
    return MPI_SUCCESS;
}

static int call(void* state, const void* send, void* receive) {
    pipeline* const own = state;
    char* buffer = receive; /* MPI_Bcast has one buffer */
    (void)send;
    for (int i = 0; i < own->n_segments; ++i) {
        const long long left = own->count - i * own->segment;
        const int n = (int)(left < own->segment ? left : own->segment);
        MPI_Recv(buffer, n, own->type, own->previous, 0, own->comm, MPI_STATUS_IGNORE);
        MPI_Isend(buffer, n, own->type, own->next, 0, own->comm, &own->sends[i]);
        buffer += own->segment * own->extent;
    }
    return MPI_Waitall(own->n_segments, own->sends, MPI_STATUSES_IGNORE);
}

static int destroy(void* state) {
    free(((pipeline*)state)->sends);
    free(state);
    return MPI_SUCCESS;
}

static const ictus_operation_parameter parameters[] = {
    {"segment", "bytes that are passed on at a time", 64 * 1024, 1, 1 << 30},
    {NULL, NULL, 0, 0, 0},
};

static const ictus_operation operations[] = {
    {
        .name = "my_bcast",
        .summary = "a broadcast along a chain, in segments",
        .stands_for = "bcast",
        .parameters = parameters,
        .create = create,
        .call = call,
        .destroy = destroy,
    },
    {.name = NULL},
};

const ictus_operation* ictus_operations(int version) { return version == ICTUS_OPERATION_VERSION ? operations : NULL; }
