/* Operations of your own: a shared library with this interface is measured, validated and compared like MPI's
 * collectives (ictus run --plugin ./libmine.so --op my_bcast). Plain C, so that C++ and Fortran have it too. Functions
 * return MPI_SUCCESS or an error code of MPI; all but the memory's are called by all ranks together. */
#ifndef ICTUS_OPERATION_H
#define ICTUS_OPERATION_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ICTUS_OPERATION_VERSION 2

/* What an operation is created for. */
typedef struct {
    long long count;         /* elements of the message, or of one block, as MPI's function counts */
    const long long* values; /* of the parameters, in their order */
    int root;
    int comm_f, datatype_f, op_f; /* the three handles below for Fortran */
    MPI_Comm comm;                /* a duplicate for this operation alone; it must not free what it is given */
    MPI_Datatype datatype;
    MPI_Op op; /* MPI_OP_NULL where nothing is reduced */
} ictus_operation_site;

/* A number that users may give: --op "my_bcast(segment=64Ki)". */
typedef struct {
    const char* name;
    const char* help;
    long long default_value, minimum, maximum; /* not negative */
} ictus_operation_parameter;

typedef struct {
    const char* name;       /* lower-case letters, digits and '_': my_bcast */
    const char* summary;    /* half a line */
    const char* stands_for; /* whose result it has: allgather, allreduce, alltoall, barrier, bcast, exscan, gather,
                               reduce, reduce_scatter_block, scan or scatter */
    const ictus_operation_parameter* parameters; /* ended by one without a name; NULL: none */

    /* Not timed; copy what you need of `site`, and put what is yours into `state`. */
    int (*create)(const ictus_operation_site* site, void** state);
    /* The timed call, with the buffers of MPI's function; the one of MPI_Bcast is `receive`. They may differ from call
     * to call. It must not write to `send` (but where both are one), and complete all requests that it starts. */
    int (*call)(void* state, const void* send, void* receive);
    int (*destroy)(void* state); /* not timed; frees all that create made */

    /* All or none: buffers in memory of your own (huge pages, MPI_Alloc_mem, a device). Ictus writes the payload into
     * them and reads the result from them by your functions; NULL: nothing could be allocated. */
    void* (*allocate)(size_t n_bytes);
    void (*release)(void* memory, size_t n_bytes);
    int (*write)(void* memory, const void* from, size_t n_bytes);
    int (*read)(void* to, const void* memory, size_t n_bytes);

    /* Not 0: call takes MPI_IN_PLACE where MPI's function does: in place of `send`, at the root alone in a gather or a
     * reduce, in place of `receive` at the root of a scatter. It is then measured and validated in place too
     * (--in-place yes). 0: it never gets MPI_IN_PLACE; for a program that calls in place, data are copied before. */
    int in_place;
} ictus_operation;

/* What the library exports: its operations, ended by one without a name. NULL: it does not have this version. */
const ictus_operation* ictus_operations(int version);

#ifdef __cplusplus
}
#endif

#endif
