/* Sparse collectives of isomorphic neighbourhoods: every process of a torus or an open mesh exchanges blocks with the
 * same relative neighbours. C99; C++ may include it. Link with -lictus.
 *
 *     int offsets[] = {-1, -1,  -1, 0,  -1, 1,  0, -1,  0, 1,  1, -1,  1, 0,  1, 1};     8 neighbours in 2 dimensions
 *     ictus_isomorphic* around;
 *     ictus_isomorphic_create(cart, 8, offsets, &around);
 *     ictus_isomorphic_exchange* halo;
 *     ictus_isomorphic_alltoall_init(out, n, MPI_DOUBLE, in, n, MPI_DOUBLE, around, ICTUS_ISOMORPHIC_DIMENSIONS,
 * &halo); for (...) { ictus_isomorphic_run(halo);
 *     }
 *     ictus_isomorphic_exchange_free(&halo);
 *     ictus_isomorphic_free(&around);
 *
 * With neighbours c_0, c_1, ... block i of the send buffer goes to the process at this one's coordinates + c_i, and
 * block i of the receive buffer comes from the process at coordinates - c_i: as in MPI_Neighbor_alltoall on a graph of
 * these ranks. As all processes have the same list, each computes by itself which messages combine which blocks (after
 * Traeff, Luebbe, Rougier and Hunold, EuroMPI 2015). isomorphic.md has the rules, and what it costs.
 *
 * Along a dimension of the Cartesian communicator that is not periodic the mesh ends: a neighbour that is not there
 * receives nothing, and a block that would come from it stays as it was.
 *
 * Block i must have the same number of bytes on all processes, as sent and as received. Where all datatypes of an
 * exchange are one, blocks that rest on their way have it too; else they rest as bytes, which all processes must
 * represent alike.
 *
 * Errors go to the error handler of the Cartesian communicator, like those of any MPI call, and are returned if that
 * returns: MPI_Error_class tells MPI_ERR_COMM, MPI_ERR_TOPOLOGY (not Cartesian), MPI_ERR_ARG or MPI_ERR_OTHER, and
 * MPI_Error_string what was wrong and what is allowed. So the communicator must not be freed before what was made from
 * it. */
#ifndef ICTUS_ISOMORPHIC_H
#define ICTUS_ISOMORPHIC_H

#include "api.h"

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The neighbours of all processes; an exchange of fixed buffers with them. */
typedef struct ictus_isomorphic ictus_isomorphic;
typedef struct ictus_isomorphic_exchange ictus_isomorphic_exchange;

/* How blocks travel. */
typedef enum {
    ICTUS_ISOMORPHIC_DIRECT,     /* one message for each neighbour */
    ICTUS_ISOMORPHIC_DIMENSIONS, /* combined messages along one dimension after the other, one for each step length */
    ICTUS_ISOMORPHIC_LOGARITHMIC /* combined messages by jumps of 1, 2, 4, ... along each dimension */
} ictus_isomorphic_schedule;

/* Collective over `cart`, a communicator with a Cartesian topology. `offsets` has the coordinates of `n_neighbours`
 * neighbours relative to a process, as many for each as `cart` has dimensions, in the order of their blocks; the same
 * on all processes. The process itself may be among them, and a neighbour several times. Makes one private
 * communicator. */
ICTUS_API int ictus_isomorphic_create(MPI_Comm cart, int n_neighbours, const int offsets[],
                                      ictus_isomorphic** neighbourhood);

/* Local. The ranks in `cart` from which this process receives and to which it sends, in the order of the neighbours;
 * MPI_PROC_NULL beyond an end of the mesh. */
ICTUS_API int ictus_isomorphic_ranks(const ictus_isomorphic* neighbourhood, int sources[], int destinations[]);

/* Collective: the last of a neighbourhood and its exchanges frees the private communicator, so free them in the same
 * order on all processes, and before MPI_Finalize. Sets it to NULL. */
ICTUS_API int ictus_isomorphic_free(ictus_isomorphic** neighbourhood);

/* Make an exchange: local, without a message. The buffers are those of every run, and not MPI_IN_PLACE. Counts,
 * displacements and types are read here alone; displacements are in extents of the datatype in the v forms, and in
 * bytes in the w forms, as in MPI_Neighbor_alltoallv and MPI_Neighbor_alltoallw.
 *
 * alltoall: a block of its own to each neighbour. */
ICTUS_API int ictus_isomorphic_alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                             int receive_count, MPI_Datatype receive_type,
                                             const ictus_isomorphic* neighbourhood, ictus_isomorphic_schedule schedule,
                                             ictus_isomorphic_exchange** exchange);
ICTUS_API int ictus_isomorphic_alltoallv_init(const void* send, const int send_counts[], const int send_displacements[],
                                              MPI_Datatype send_type, void* receive, const int receive_counts[],
                                              const int receive_displacements[], MPI_Datatype receive_type,
                                              const ictus_isomorphic* neighbourhood, ictus_isomorphic_schedule schedule,
                                              ictus_isomorphic_exchange** exchange);
ICTUS_API int ictus_isomorphic_alltoallw_init(const void* send, const int send_counts[],
                                              const MPI_Aint send_displacements[], const MPI_Datatype send_types[],
                                              void* receive, const int receive_counts[],
                                              const MPI_Aint receive_displacements[],
                                              const MPI_Datatype receive_types[], const ictus_isomorphic* neighbourhood,
                                              ictus_isomorphic_schedule schedule, ictus_isomorphic_exchange** exchange);

/* allgather: one block, the same to all neighbours. Every block that is received has as many bytes. */
ICTUS_API int ictus_isomorphic_allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                              int receive_count, MPI_Datatype receive_type,
                                              const ictus_isomorphic* neighbourhood, ictus_isomorphic_schedule schedule,
                                              ictus_isomorphic_exchange** exchange);
ICTUS_API int ictus_isomorphic_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                               const int receive_counts[], const int receive_displacements[],
                                               MPI_Datatype receive_type, const ictus_isomorphic* neighbourhood,
                                               ictus_isomorphic_schedule schedule,
                                               ictus_isomorphic_exchange** exchange);
ICTUS_API int ictus_isomorphic_allgatherw_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                               const int receive_counts[], const MPI_Aint receive_displacements[],
                                               const MPI_Datatype receive_types[],
                                               const ictus_isomorphic* neighbourhood,
                                               ictus_isomorphic_schedule schedule,
                                               ictus_isomorphic_exchange** exchange);

/* Collective. One exchange; when it returns, the blocks of this process have arrived, and its send buffer may change.
 */
ICTUS_API int ictus_isomorphic_run(ictus_isomorphic_exchange* exchange);

/* What it took to make an exchange, on this process. */
typedef struct {
    int rounds;             /* messages one after another that a process in the middle of the mesh sends */
    double neighbourhood_s; /* ictus_isomorphic_create: private communicator, comparing the lists */
    double schedule_s;      /* computing which message has which block */
    double datatypes_s;     /* describing the messages to MPI */
} ictus_isomorphic_set_up;

/* Local. */
ICTUS_API int ictus_isomorphic_get_set_up(const ictus_isomorphic_exchange* exchange, ictus_isomorphic_set_up* set_up);

/* Collective, like ictus_isomorphic_free. Sets it to NULL. */
ICTUS_API int ictus_isomorphic_exchange_free(ictus_isomorphic_exchange** exchange);

#ifdef __cplusplus
}
#endif

#endif
