/* Operations that do what they must not: each test of test_plugins.py measures one of them. */
#include <ictus/operation.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    ictus_operation_site site;
    int rank, size, calls;
    MPI_Aint extent;
    MPI_Request persistent;
} own;

static int create(const ictus_operation_site* site, void** state) {
    own* const made = calloc(1, sizeof *made);
    MPI_Aint lower_bound;
    made->site = *site;
    MPI_Comm_rank(site->comm, &made->rank);
    MPI_Comm_size(site->comm, &made->size);
    MPI_Type_get_extent(site->datatype, &lower_bound, &made->extent);
    *state = made;
    return MPI_SUCCESS;
}

static int destroy(void* state) {
    free(state);
    return MPI_SUCCESS;
}

static int allreduce(const own* a, const void* send, void* receive) {
    return MPI_Allreduce(send, receive, (int)a->site.count, a->site.datatype, a->site.op, a->site.comm);
}

static int right(void* state, const void* send, void* receive) { return allreduce(state, send, receive); }

static int computes_wrongly(void* state, const void* send, void* receive) {
    const own* const a = state;
    const int code = allreduce(a, send, receive);
    if (a->rank == a->size - 1) {
        ((char*)receive)[0] ^= 1;
    }
    return code;
}

/* Right while it is tried, as what keeps its first result is. */
static int forgets_later(void* state, const void* send, void* receive) {
    own* const a = state;
    const int code = allreduce(a, send, receive);
    if (++a->calls > a->site.values[0]) {
        ((char*)receive)[0] ^= 1;
    }
    return code;
}

static int writes_to_send(void* state, const void* send, void* receive) {
    const int code = allreduce(state, send, receive);
    ((char*)send)[0] ^= 1;
    return code;
}

static int writes_behind(void* state, const void* send, void* receive) {
    const own* const a = state;
    const int code = allreduce(a, send, receive);
    ((char*)receive)[a->site.count * a->extent] ^= 1;
    return code;
}

static int leaves_request(void* state, const void* send, void* receive) {
    const own* const a = state;
    const int code = allreduce(a, send, receive);
    static char from, to;
    MPI_Request request, received;
    MPI_Irecv(&to, 1, MPI_CHAR, (a->rank + 1) % a->size, 1, a->site.comm, &received);
    MPI_Isend(&from, 1, MPI_CHAR, (a->rank + a->size - 1) % a->size, 1, a->site.comm, &request);
    MPI_Wait(&received, MPI_STATUS_IGNORE); /* and not that of the send */
    return code;
}

static int leaves_message(void* state, const void* send, void* receive) {
    const own* const a = state;
    const int code = allreduce(a, send, receive);
    if (a->rank == 0) {
        MPI_Send(NULL, 0, MPI_CHAR, a->size - 1, 7, a->site.comm);
    }
    return code;
}

static int create_persistent(const ictus_operation_site* site, void** state) {
    static char byte;
    create(site, state);
    return MPI_Recv_init(&byte, 1, MPI_CHAR, 0, 0, site->comm, &((own*)*state)->persistent);
}

static int completes_all(void* state, const void* send, void* receive) {
    const own* const a = state;
    static char from[3], to[3];
    MPI_Request requests[6];
    int done = 0, index, n_done, indices[6];
    for (int i = 0; i < 3; ++i) {
        MPI_Irecv(&to[i], 1, MPI_CHAR, (a->rank + 1) % a->size, i, a->site.comm, &requests[i]);
        MPI_Isend(&from[i], 1, MPI_CHAR, (a->rank + a->size - 1) % a->size, i, a->site.comm, &requests[3 + i]);
    }
    while (!done) {
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_Waitany(6, requests, &index, MPI_STATUS_IGNORE);
    MPI_Waitsome(6, requests, &n_done, indices, MPI_STATUSES_IGNORE);
    MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
    return allreduce(a, send, receive);
}

static int crashes(void* state, const void* send, void* receive) {
    const own* const a = state;
    if (a->rank == a->size - 1) {
        volatile int* const nowhere = (int*)16;
        *nowhere = 1;
    }
    return allreduce(a, send, receive);
}

static int aborts(void* state, const void* send, void* receive) {
    const own* const a = state;
    if (a->rank == 0) {
        abort();
    }
    return allreduce(a, send, receive);
}

static int exits(void* state, const void* send, void* receive) {
    const own* const a = state;
    if (a->rank == 0) {
        exit(3);
    }
    return allreduce(a, send, receive);
}

static int hangs(void* state, const void* send, void* receive) {
    const own* const a = state;
    if (a->rank == 0) {
        raise(SIGTERM); /* as at the end of --timeout */
    }
    return allreduce(a, send, receive);
}

static int frees_comm(void* state, const void* send, void* receive) {
    own* const a = state;
    const int code = allreduce(a, send, receive);
    MPI_Comm_free(&a->site.comm);
    return code;
}

static int overflow(volatile char* above) { /* no tail call: something is done with the result */
    volatile char memory[4096];
    memory[0] = *above;
    return overflow(memory) + memory[0];
}

static int overflows(void* state, const void* send, void* receive) {
    const own* const a = state;
    volatile char begin = 1;
    return a->rank == 0 ? overflow(&begin) : allreduce(a, send, receive);
}

static int fails(void* state, const void* send, void* receive) {
    (void)state, (void)send, (void)receive;
    return MPI_ERR_OTHER;
}

/* In place, it sends what is not there. */
static int forgets_place(void* state, const void* send, void* receive) {
    const own* const a = state;
    return send == MPI_IN_PLACE ? MPI_SUCCESS : allreduce(a, send, receive);
}

static int leaves_early(void* state, const void* send, void* receive) {
    (void)state, (void)send, (void)receive;
    return MPI_SUCCESS;
}

#define OPERATION(operation, function, maker)                                                                          \
    {.name = #operation, .stands_for = "allreduce", .create = maker, .call = function, .destroy = destroy}

static const ictus_operation_parameter parameters[] = {
    {"calls", "right ones", 1, 0, 1000},
    {NULL, NULL, 0, 0, 0},
};

static const ictus_operation operations[] = {
    OPERATION(right, right, create),
    OPERATION(computes_wrongly, computes_wrongly, create),
    {.name = "forgets_later",
     .stands_for = "allreduce",
     .parameters = parameters,
     .create = create,
     .call = forgets_later,
     .destroy = destroy},
    OPERATION(exits, exits, create),
    OPERATION(hangs, hangs, create),
    OPERATION(frees_comm, frees_comm, create),
    OPERATION(writes_to_send, writes_to_send, create),
    OPERATION(writes_behind, writes_behind, create),
    OPERATION(leaves_request, leaves_request, create),
    OPERATION(leaves_message, leaves_message, create),
    OPERATION(keeps_request, right, create_persistent),
    OPERATION(completes_all, completes_all, create),
    OPERATION(crashes, crashes, create),
    OPERATION(aborts, aborts, create),
    OPERATION(overflows, overflows, create),
    OPERATION(fails, fails, create),
    {.name = "forgets_place",
     .stands_for = "allreduce",
     .create = create,
     .call = forgets_place,
     .destroy = destroy,
     .in_place = 1},
    {.name = "leaves_early", .stands_for = "barrier", .create = create, .call = leaves_early, .destroy = destroy},
    {.name = NULL},
};

const ictus_operation* ictus_operations(int version) { return version == ICTUS_OPERATION_VERSION ? operations : NULL; }
