// A test instrument: a library to preload that spoils what a call delivers, behind MPI's back, so that tests show that
// payload validation sees it. After the real call, or at the completion of the request that it began, the receive
// buffer of one rank is changed (settings: shim/flip_settings.hpp). Buffers that a rank does not receive into (the
// root's of MPI_Bcast, ...) are left alone.
//
// Here the collectives: each is described once, by its parameters, its arguments, and what it writes on this rank. The
// three forms of it follow from that. Messages between two ranks and one-sided calls are in flip_calls.cpp.
#include "shim/flip_settings.hpp"
#include "shim/spoiling.hpp"

namespace {

using namespace ictus::shim;

/// What a call writes in which this rank receives nothing.
const ReceivedRuns nothing;

/// Who waits for each other in a call without data.
MPI_Comm among(MPI_Comm comm) { return flip_settings().mode == FlipSettings::Mode::early ? MPI_COMM_SELF : comm; }

} // namespace

#define ICTUS_LISTED(...) __VA_ARGS__

/// Defines `blocking`, `nonblocking` and `persistent` in front of the library's; one parameter is called `comm`. The
/// third is new in MPI 4.0; where mpi.h does not declare it, nobody calls it (the dependent call in a requires
/// expression is then no error).
#define ICTUS_SPOILED(blocking, nonblocking, persistent, parameters, arguments, received)                              \
    extern "C" int blocking(ICTUS_LISTED parameters) {                                                                 \
        return spoiled(                                                                                                \
            is_target(#blocking, comm), [&]() -> ReceivedRuns { return received; },                                    \
            [&] { return P##blocking arguments; });                                                                    \
    }                                                                                                                  \
    extern "C" int nonblocking(ICTUS_LISTED parameters, MPI_Request* request) {                                        \
        const auto call = [&](auto... all) { return P##nonblocking(all..., request); };                                \
        return spoiled_later(                                                                                          \
            is_target(#nonblocking, comm), [&]() -> ReceivedRuns { return received; }, request, false,                 \
            [&] { return call arguments; });                                                                           \
    }                                                                                                                  \
    extern "C" int persistent(ICTUS_LISTED parameters, MPI_Info info, MPI_Request* request) {                          \
        const auto call = [&](auto... all) {                                                                           \
            if constexpr (requires { P##persistent(all..., info, request); }) {                                        \
                return P##persistent(all..., info, request);                                                           \
            } else {                                                                                                   \
                return MPI_ERR_OTHER;                                                                                  \
            }                                                                                                          \
        };                                                                                                             \
        return spoiled_later(                                                                                          \
            is_target(#persistent, comm), [&]() -> ReceivedRuns { return received; }, request, true,                   \
            [&] { return call arguments; });                                                                           \
    }

ICTUS_SPOILED(MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init, (MPI_Comm comm), (among(comm)), nothing)

ICTUS_SPOILED(MPI_Bcast, MPI_Ibcast, MPI_Bcast_init,
              (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm), (buffer, count, type, root, comm),
              rank_in(comm) == root ? nothing : blocks(buffer, 1, count, type))

ICTUS_SPOILED(MPI_Gather, MPI_Igather, MPI_Gather_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               int root, MPI_Comm comm),
              (send, send_count, send_type, receive, count, type, root, comm),
              rank_in(comm) != root ? nothing : blocks(receive, size_of(comm), count, type))

ICTUS_SPOILED(MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, const int counts[],
               const int displacements[], MPI_Datatype type, int root, MPI_Comm comm),
              (send, send_count, send_type, receive, counts, displacements, type, root, comm),
              rank_in(comm) != root ? nothing : varied_blocks(receive, size_of(comm), counts, displacements, type))

ICTUS_SPOILED(MPI_Scatter, MPI_Iscatter, MPI_Scatter_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               int root, MPI_Comm comm),
              (send, send_count, send_type, receive, count, type, root, comm), blocks(receive, 1, count, type))

ICTUS_SPOILED(MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init,
              (const void* send, const int counts[], const int displacements[], MPI_Datatype send_type, void* receive,
               int count, MPI_Datatype type, int root, MPI_Comm comm),
              (send, counts, displacements, send_type, receive, count, type, root, comm),
              blocks(receive, 1, count, type))

ICTUS_SPOILED(MPI_Allgather, MPI_Iallgather, MPI_Allgather_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               MPI_Comm comm),
              (send, send_count, send_type, receive, count, type, comm), blocks(receive, size_of(comm), count, type))

ICTUS_SPOILED(MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, const int counts[],
               const int displacements[], MPI_Datatype type, MPI_Comm comm),
              (send, send_count, send_type, receive, counts, displacements, type, comm),
              varied_blocks(receive, size_of(comm), counts, displacements, type))

ICTUS_SPOILED(MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               MPI_Comm comm),
              (send, send_count, send_type, receive, count, type, comm), blocks(receive, size_of(comm), count, type))

ICTUS_SPOILED(MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init,
              (const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
               void* receive, const int counts[], const int displacements[], MPI_Datatype type, MPI_Comm comm),
              (send, send_counts, send_displacements, send_type, receive, counts, displacements, type, comm),
              varied_blocks(receive, size_of(comm), counts, displacements, type))

ICTUS_SPOILED(MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init,
              (const void* send, const int send_counts[], const int send_displacements[],
               const MPI_Datatype send_types[], void* receive, const int counts[], const int displacements[],
               const MPI_Datatype types[], MPI_Comm comm),
              (send, send_counts, send_displacements, send_types, receive, counts, displacements, types, comm),
              typed_blocks(receive, size_of(comm), counts, displacements, types))

ICTUS_SPOILED(MPI_Reduce, MPI_Ireduce, MPI_Reduce_init,
              (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
              (send, receive, count, type, op, root, comm),
              rank_in(comm) != root ? nothing : blocks(receive, 1, count, type))

ICTUS_SPOILED(MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init,
              (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (send, receive, count, type, op, type == MPI_BYTE && count == 1 ? among(comm) : comm),
              blocks(receive, 1, count, type))

ICTUS_SPOILED(MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init,
              (const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (send, receive, counts, type, op, comm), blocks(receive, 1, counts[rank_in(comm)], type))

ICTUS_SPOILED(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init,
              (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (send, receive, count, type, op, comm), blocks(receive, 1, count, type))

ICTUS_SPOILED(MPI_Scan, MPI_Iscan, MPI_Scan_init,
              (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (send, receive, count, type, op, comm), blocks(receive, 1, count, type))

ICTUS_SPOILED(MPI_Exscan, MPI_Iexscan, MPI_Exscan_init,
              (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (send, receive, count, type, op, comm), rank_in(comm) == 0 ? nothing : blocks(receive, 1, count, type))

ICTUS_SPOILED(MPI_Neighbor_allgather, MPI_Ineighbor_allgather, MPI_Neighbor_allgather_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               MPI_Comm comm),
              (send, send_count, send_type, receive, count, type, comm), blocks(receive, n_sources(comm), count, type))

ICTUS_SPOILED(MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, const int counts[],
               const int displacements[], MPI_Datatype type, MPI_Comm comm),
              (send, send_count, send_type, receive, counts, displacements, type, comm),
              varied_blocks(receive, n_sources(comm), counts, displacements, type))

ICTUS_SPOILED(MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, MPI_Neighbor_alltoall_init,
              (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               MPI_Comm comm),
              (send, send_count, send_type, receive, count, type, comm), blocks(receive, n_sources(comm), count, type))

ICTUS_SPOILED(MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init,
              (const void* send, const int send_counts[], const int send_displacements[], MPI_Datatype send_type,
               void* receive, const int counts[], const int displacements[], MPI_Datatype type, MPI_Comm comm),
              (send, send_counts, send_displacements, send_type, receive, counts, displacements, type, comm),
              varied_blocks(receive, n_sources(comm), counts, displacements, type))

ICTUS_SPOILED(MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, MPI_Neighbor_alltoallw_init,
              (const void* send, const int send_counts[], const MPI_Aint send_displacements[],
               const MPI_Datatype send_types[], void* receive, const int counts[], const MPI_Aint displacements[],
               const MPI_Datatype types[], MPI_Comm comm),
              (send, send_counts, send_displacements, send_types, receive, counts, displacements, types, comm),
              typed_blocks(receive, n_sources(comm), counts, displacements, types))

/// Without a communicator the rank is that in MPI_COMM_WORLD.
extern "C" int MPI_Reduce_local(const void* operand, void* result, int count, MPI_Datatype type, MPI_Op op) {
    return spoiled(
        is_target("MPI_Reduce_local", MPI_COMM_WORLD), [&] { return blocks(result, 1, count, type); },
        [&] { return PMPI_Reduce_local(operand, result, count, type, op); });
}

#if MPI_VERSION >= 4
/// Of the calls for large counts this one, the end of its message: that is where counts that do not fit an int go
/// wrong.
extern "C" int MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    const auto end_of_message = [&]() -> ReceivedRuns {
        MPI_Aint lower = 0;
        MPI_Aint extent = 0;
        PMPI_Type_get_extent(type, &lower, &extent);
        return rank_in(comm) == root || count == 0
                   ? nothing
                   : blocks(static_cast<char*>(buffer) + (count - 1) * extent, 1, 1, type);
    };
    return spoiled(is_target("MPI_Bcast_c", comm), end_of_message,
                   [&] { return PMPI_Bcast_c(buffer, count, type, root, comm); });
}
#endif
