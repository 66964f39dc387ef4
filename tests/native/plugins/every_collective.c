/* Every collective that a plug-in can stand for, by a call of MPI's. */
#include <ictus/operation.h>
#include <stdlib.h>

static int create(const ictus_operation_site* site, void** state) {
    ictus_operation_site* const made = malloc(sizeof *made);
    *made = *site;
    *state = made;
    return MPI_SUCCESS;
}

static int destroy(void* state) {
    free(state);
    return MPI_SUCCESS;
}

#define CALL(name, call)                                                                                               \
    static int name(void* state, const void* send, void* receive) {                                                    \
        const ictus_operation_site* const a = state;                                                                   \
        const int n = (int)a->count;                                                                                   \
        (void)n, (void)send, (void)receive;                                                                            \
        return call;                                                                                                   \
    }

CALL(allgather, MPI_Allgather(send, n, a->datatype, receive, n, a->datatype, a->comm))
CALL(allreduce, MPI_Allreduce(send, receive, n, a->datatype, a->op, a->comm))
CALL(alltoall, MPI_Alltoall(send, n, a->datatype, receive, n, a->datatype, a->comm))
CALL(barrier, MPI_Barrier(a->comm))
CALL(bcast, MPI_Bcast(receive, n, a->datatype, a->root, a->comm))
CALL(exscan, MPI_Exscan(send, receive, n, a->datatype, a->op, a->comm))
CALL(gather, MPI_Gather(send, n, a->datatype, receive, n, a->datatype, a->root, a->comm))
CALL(reduce, MPI_Reduce(send, receive, n, a->datatype, a->op, a->root, a->comm))
CALL(reduce_scatter_block, MPI_Reduce_scatter_block(send, receive, n, a->datatype, a->op, a->comm))
CALL(scan, MPI_Scan(send, receive, n, a->datatype, a->op, a->comm))
CALL(scatter, MPI_Scatter(send, n, a->datatype, receive, n, a->datatype, a->root, a->comm))

#ifndef IN_PLACE
#define IN_PLACE 1
#endif
#define OPERATION(collective)                                                                                          \
    {.name = "my_" #collective,                                                                                        \
     .stands_for = #collective,                                                                                        \
     .create = create,                                                                                                 \
     .call = collective,                                                                                               \
     .destroy = destroy,                                                                                               \
     .in_place = IN_PLACE}

static const ictus_operation operations[] = {
    OPERATION(allgather), OPERATION(allreduce), OPERATION(alltoall),
    OPERATION(barrier),   OPERATION(bcast),     OPERATION(exscan),
    OPERATION(gather),    OPERATION(reduce),    OPERATION(reduce_scatter_block),
    OPERATION(scan),      OPERATION(scatter),   {.name = NULL},
};

const ictus_operation* ictus_operations(int version) { return version == ICTUS_OPERATION_VERSION ? operations : NULL; }
