// The one list of the MPI functions that we stand in front of: each by its name, as Fortran spells it, and its
// arguments in order (argument.hpp). The functions of all libraries in front of a program, their forms with large
// counts, their Fortran names (wrappers.hpp) and the names in reports are made of it.
#pragma once

#include <mpi.h>

/// The standard has it from version 4 on; Open MPI 5 has it and says 3.1.
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define ICTUS_HAS_PERSISTENT_COLLECTIVES 1
#else
#define ICTUS_HAS_PERSISTENT_COLLECTIVES 0
#endif
/// And sessions.
#define ICTUS_HAS_SESSIONS ICTUS_HAS_PERSISTENT_COLLECTIVES
/// Counts of MPI_Count: MPI_Bcast_c beside MPI_Bcast.
#if MPI_VERSION >= 4
#define ICTUS_HAS_LARGE_COUNTS 1
#else
#define ICTUS_HAS_LARGE_COUNTS 0
#endif

/// Blocking; nonblocking and persistent as well, with the arguments that these have more (below).
#define ICTUS_COLLECTIVES(CALL)                                                                                        \
    ICTUS_BARRIER(CALL)                                                                                                \
    ICTUS_MOVING_COLLECTIVES(CALL)

#define ICTUS_BARRIER(CALL) CALL(Barrier, barrier, BARRIER, Comm)

/// Those that have counts.
#define ICTUS_MOVING_COLLECTIVES(CALL)                                                                                 \
    ICTUS_COLLECTIVES_WITH_MOCKUPS(CALL)                                                                               \
    CALL(Gatherv, gatherv, GATHERV, Send, SendCount, SendType, Receive, ReceiveCounts, Displacements, ReceiveType,     \
         Root, Comm)                                                                                                   \
    CALL(Scatterv, scatterv, SCATTERV, Send, SendCounts, Displacements, SendType, Receive, ReceiveCount, ReceiveType,  \
         Root, Comm)                                                                                                   \
    CALL(Allgatherv, allgatherv, ALLGATHERV, Send, SendCount, SendType, Receive, ReceiveCounts, Displacements,         \
         ReceiveType, Comm)                                                                                            \
    CALL(Alltoall, alltoall, ALLTOALL, Send, SendCount, SendType, Receive, ReceiveCount, ReceiveType, Comm)            \
    CALL(Alltoallv, alltoallv, ALLTOALLV, Send, SendCounts, Displacements, SendType, Receive, ReceiveCounts,           \
         ReceiveDisplacements, ReceiveType, Comm)                                                                      \
    CALL(Alltoallw, alltoallw, ALLTOALLW, Send, SendCounts, Displacements, SendTypes, Receive, ReceiveCounts,          \
         ReceiveDisplacements, ReceiveTypes, Comm)                                                                     \
    CALL(Exscan, exscan, EXSCAN, Send, Receive, Count, Type, Op, Comm)                                                 \
    CALL(Neighbor_allgather, neighbor_allgather, NEIGHBOR_ALLGATHER, Send, SendCount, SendType, Receive, ReceiveCount, \
         ReceiveType, Comm)                                                                                            \
    CALL(Neighbor_allgatherv, neighbor_allgatherv, NEIGHBOR_ALLGATHERV, Send, SendCount, SendType, Receive,            \
         ReceiveCounts, Displacements, ReceiveType, Comm)                                                              \
    CALL(Neighbor_alltoall, neighbor_alltoall, NEIGHBOR_ALLTOALL, Send, SendCount, SendType, Receive, ReceiveCount,    \
         ReceiveType, Comm)                                                                                            \
    CALL(Neighbor_alltoallv, neighbor_alltoallv, NEIGHBOR_ALLTOALLV, Send, NeighbourCounts, Displacements, SendType,   \
         Receive, ReceiveCounts, ReceiveDisplacements, ReceiveType, Comm)                                              \
    CALL(Neighbor_alltoallw, neighbor_alltoallw, NEIGHBOR_ALLTOALLW, Send, NeighbourCounts, ByteDisplacements,         \
         SendTypes, Receive, ReceiveCounts, ReceiveByteDisplacements, ReceiveTypes, Comm)

/// Those that a mock-up can take the place of.
#define ICTUS_COLLECTIVES_WITH_MOCKUPS(CALL)                                                                           \
    CALL(Allgather, allgather, ALLGATHER, Send, SendCount, SendType, Receive, ReceiveCount, ReceiveType, Comm)         \
    CALL(Allreduce, allreduce, ALLREDUCE, Send, Receive, Count, Type, Op, Comm)                                        \
    CALL(Bcast, bcast, BCAST, Buffer, Count, Type, Root, Comm)                                                         \
    CALL(Gather, gather, GATHER, Send, SendCount, SendType, Receive, ReceiveCount, ReceiveType, Root, Comm)            \
    CALL(Reduce, reduce, REDUCE, Send, Receive, Count, Type, Op, Root, Comm)                                           \
    CALL(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, Send, Receive, ReceiveCounts, Type, Op, Comm)                 \
    CALL(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, Send, Receive, Count, Type, Op, Comm)       \
    CALL(Scan, scan, SCAN, Send, Receive, Count, Type, Op, Comm)                                                       \
    CALL(Scatter, scatter, SCATTER, Send, SendCount, SendType, Receive, ReceiveCount, ReceiveType, Root, Comm)

#define ICTUS_NONBLOCKING(CALL, name, lower, UPPER, ...) CALL(I##lower, i##lower, I##UPPER, __VA_ARGS__, Request)
#define ICTUS_PERSISTENT(CALL, name, lower, UPPER, ...)                                                                \
    CALL(name##_init, lower##_init, UPPER##_INIT, __VA_ARGS__, Info, Request)

/// Between two processes, with counts.
#define ICTUS_MESSAGES(CALL)                                                                                           \
    CALL(Send, send, SEND, ReadBuffer, Count, Type, Peer, Tag, Comm)                                                   \
    CALL(Ssend, ssend, SSEND, ReadBuffer, Count, Type, Peer, Tag, Comm)                                                \
    CALL(Bsend, bsend, BSEND, ReadBuffer, Count, Type, Peer, Tag, Comm)                                                \
    CALL(Rsend, rsend, RSEND, ReadBuffer, Count, Type, Peer, Tag, Comm)                                                \
    CALL(Isend, isend, ISEND, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                                       \
    CALL(Issend, issend, ISSEND, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                                    \
    CALL(Ibsend, ibsend, IBSEND, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                                    \
    CALL(Irsend, irsend, IRSEND, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                                    \
    CALL(Send_init, send_init, SEND_INIT, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                           \
    CALL(Ssend_init, ssend_init, SSEND_INIT, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                        \
    CALL(Bsend_init, bsend_init, BSEND_INIT, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                        \
    CALL(Rsend_init, rsend_init, RSEND_INIT, ReadBuffer, Count, Type, Peer, Tag, Comm, Request)                        \
    CALL(Recv, recv, RECV, Buffer, Count, Type, Peer, Tag, Comm, Status)                                               \
    CALL(Irecv, irecv, IRECV, Buffer, Count, Type, Peer, Tag, Comm, Request)                                           \
    CALL(Recv_init, recv_init, RECV_INIT, Buffer, Count, Type, Peer, Tag, Comm, Request)                               \
    CALL(Sendrecv, sendrecv, SENDRECV, Send, SendCount, SendType, Peer, Tag, Receive, ReceiveCount, ReceiveType,       \
         Source, ReceiveTag, Comm, Status)                                                                             \
    CALL(Sendrecv_replace, sendrecv_replace, SENDRECV_REPLACE, Buffer, Count, Type, Peer, Tag, Source, ReceiveTag,     \
         Comm, Status)                                                                                                 \
    CALL(Mrecv, mrecv, MRECV, Buffer, Count, Type, Message, Status)                                                    \
    CALL(Imrecv, imrecv, IMRECV, Buffer, Count, Type, Message, Request)                                                \
    ICTUS_NONBLOCKING_EXCHANGES(CALL)

/// From the same version on as persistent collectives.
#if ICTUS_HAS_PERSISTENT_COLLECTIVES
#define ICTUS_NONBLOCKING_EXCHANGES(CALL)                                                                              \
    CALL(Isendrecv, isendrecv, ISENDRECV, Send, SendCount, SendType, Peer, Tag, Receive, ReceiveCount, ReceiveType,    \
         Source, ReceiveTag, Comm, Request)                                                                            \
    CALL(Isendrecv_replace, isendrecv_replace, ISENDRECV_REPLACE, Buffer, Count, Type, Peer, Tag, Source, ReceiveTag,  \
         Comm, Request)
/// Messages in parts, of which the two init functions say all: `count` is that of one part.
#define ICTUS_PARTITIONED(CALL)                                                                                        \
    CALL(Psend_init, psend_init, PSEND_INIT, ReadBuffer, Partitions, PartitionCount, Type, Peer, Tag, Comm, Info,      \
         Request)                                                                                                      \
    CALL(Precv_init, precv_init, PRECV_INIT, Buffer, Partitions, PartitionCount, Type, Peer, Tag, Comm, Info, Request) \
    CALL(Pready, pready, PREADY, Partition, RequestValue)                                                              \
    CALL(Pready_range, pready_range, PREADY_RANGE, Partition, LastPartition, RequestValue)                             \
    CALL(Pready_list, pready_list, PREADY_LIST, ListLength, PartitionList, RequestValue)                               \
    CALL(Parrived, parrived, PARRIVED, RequestValue, Partition, Flag)
#else
#define ICTUS_NONBLOCKING_EXCHANGES(CALL)
#define ICTUS_PARTITIONED(CALL)
#endif

/// And the end of nonblocking and persistent calls of all kinds.
#define ICTUS_POINT_TO_POINT(CALL)                                                                                     \
    ICTUS_MESSAGES(CALL)                                                                                               \
    CALL(Probe, probe, PROBE, Peer, Tag, Comm, Status)                                                                 \
    CALL(Iprobe, iprobe, IPROBE, Peer, Tag, Comm, Flag, Status)                                                        \
    CALL(Mprobe, mprobe, MPROBE, Peer, Tag, Comm, Message, Status)                                                     \
    CALL(Improbe, improbe, IMPROBE, Peer, Tag, Comm, Flag, Message, Status)                                            \
    CALL(Start, start, START, Request)                                                                                 \
    CALL(Startall, startall, STARTALL, Many, Requests)                                                                 \
    CALL(Wait, wait, WAIT, Request, Status)                                                                            \
    CALL(Waitall, waitall, WAITALL, Many, Requests, Statuses)                                                          \
    CALL(Waitany, waitany, WAITANY, Many, Requests, Index, Status)                                                     \
    CALL(Waitsome, waitsome, WAITSOME, Many, Requests, Index, Indices, Statuses)                                       \
    CALL(Test, test, TEST, Request, Flag, Status)                                                                      \
    CALL(Testall, testall, TESTALL, Many, Requests, Flag, Statuses)                                                    \
    CALL(Testany, testany, TESTANY, Many, Requests, Index, Flag, Status)                                               \
    CALL(Testsome, testsome, TESTSOME, Many, Requests, Index, Indices, Statuses)                                       \
    ICTUS_PARTITIONED(CALL)

/// One-sided, with counts.
#define ICTUS_TRANSFERS(CALL)                                                                                          \
    CALL(Put, put, PUT, ReadBuffer, Count, Type, Peer, Offset, TargetCount, TargetType, Window)                        \
    CALL(Get, get, GET, Buffer, Count, Type, Peer, Offset, TargetCount, TargetType, Window)                            \
    CALL(Accumulate, accumulate, ACCUMULATE, ReadBuffer, Count, Type, Peer, Offset, TargetCount, TargetType, Op,       \
         Window)                                                                                                       \
    CALL(Get_accumulate, get_accumulate, GET_ACCUMULATE, ReadBuffer, SendCount, SendType, Result, TargetCount,         \
         TargetType, Peer, Offset, ResultCount, ResultType, Op, Window)                                                \
    CALL(Rput, rput, RPUT, ReadBuffer, Count, Type, Peer, Offset, TargetCount, TargetType, Window, Request)            \
    CALL(Rget, rget, RGET, Buffer, Count, Type, Peer, Offset, TargetCount, TargetType, Window, Request)                \
    CALL(Raccumulate, raccumulate, RACCUMULATE, ReadBuffer, Count, Type, Peer, Offset, TargetCount, TargetType, Op,    \
         Window, Request)                                                                                              \
    CALL(Rget_accumulate, rget_accumulate, RGET_ACCUMULATE, ReadBuffer, SendCount, SendType, Result, TargetCount,      \
         TargetType, Peer, Offset, ResultCount, ResultType, Op, Window, Request)

#define ICTUS_ONE_SIDED(CALL)                                                                                          \
    ICTUS_TRANSFERS(CALL)                                                                                              \
    CALL(Fetch_and_op, fetch_and_op, FETCH_AND_OP, ReadBuffer, Result, Type, Peer, Offset, Op, Window)                 \
    CALL(Compare_and_swap, compare_and_swap, COMPARE_AND_SWAP, ReadBuffer, Compared, Result, Type, Peer, Offset,       \
         Window)                                                                                                       \
    CALL(Win_fence, win_fence, WIN_FENCE, Assertion, Window)                                                           \
    CALL(Win_lock, win_lock, WIN_LOCK, LockType, Peer, Assertion, Window)                                              \
    CALL(Win_unlock, win_unlock, WIN_UNLOCK, Peer, Window)                                                             \
    CALL(Win_lock_all, win_lock_all, WIN_LOCK_ALL, Assertion, Window)                                                  \
    CALL(Win_unlock_all, win_unlock_all, WIN_UNLOCK_ALL, Window)                                                       \
    CALL(Win_flush, win_flush, WIN_FLUSH, Peer, Window)                                                                \
    CALL(Win_flush_local, win_flush_local, WIN_FLUSH_LOCAL, Peer, Window)                                              \
    CALL(Win_flush_all, win_flush_all, WIN_FLUSH_ALL, Window)                                                          \
    CALL(Win_flush_local_all, win_flush_local_all, WIN_FLUSH_LOCAL_ALL, Window)                                        \
    CALL(Win_sync, win_sync, WIN_SYNC, Window)                                                                         \
    CALL(Win_post, win_post, WIN_POST, Group, Assertion, Window)                                                       \
    CALL(Win_start, win_start, WIN_START, Group, Assertion, Window)                                                    \
    CALL(Win_complete, win_complete, WIN_COMPLETE, Window)                                                             \
    CALL(Win_wait, win_wait, WIN_WAIT, Window)                                                                         \
    CALL(Win_test, win_test, WIN_TEST, Window, Flag)                                                                   \
    CALL(Win_free, win_free, WIN_FREE, FreedWindow)

/// All of them, by one macro.
#define ICTUS_NONBLOCKING_CALL(...) ICTUS_NONBLOCKING(ICTUS_CALL, __VA_ARGS__)
#if ICTUS_HAS_PERSISTENT_COLLECTIVES
#define ICTUS_PERSISTENT_CALL(...) ICTUS_PERSISTENT(ICTUS_CALL, __VA_ARGS__)
#else
#define ICTUS_PERSISTENT_CALL(...)
#endif
#define ICTUS_ALL_CALLS                                                                                                \
    ICTUS_COLLECTIVES(ICTUS_CALL)                                                                                      \
    ICTUS_COLLECTIVES(ICTUS_NONBLOCKING_CALL)                                                                          \
    ICTUS_COLLECTIVES(ICTUS_PERSISTENT_CALL)                                                                           \
    ICTUS_POINT_TO_POINT(ICTUS_CALL)                                                                                   \
    ICTUS_ONE_SIDED(ICTUS_CALL)

/// Those that have a form with large counts: it counts as the same operation.
#if ICTUS_HAS_LARGE_COUNTS
#define ICTUS_ALL_LARGE_CALLS                                                                                          \
    ICTUS_MOVING_COLLECTIVES(ICTUS_CALL)                                                                               \
    ICTUS_MOVING_COLLECTIVES(ICTUS_NONBLOCKING_CALL)                                                                   \
    ICTUS_MOVING_COLLECTIVES(ICTUS_PERSISTENT_CALL)                                                                    \
    ICTUS_MESSAGES(ICTUS_CALL)                                                                                         \
    ICTUS_TRANSFERS(ICTUS_CALL)
#else
#define ICTUS_ALL_LARGE_CALLS
#endif

/// What a request ends by that is not waited for.
#define ICTUS_REQUEST_FREE(CALL) CALL(Request_free, request_free, REQUEST_FREE, Request)

namespace ictus::interposition {

// Whoever writes ICTUS_ALL_CALLS says before it what ICTUS_CALL makes of one call.
#define ICTUS_CALL(name, ...) name,
enum class CallId : unsigned short { ICTUS_ALL_CALLS n_calls, Request_free = n_calls };
#undef ICTUS_CALL

} // namespace ictus::interposition
