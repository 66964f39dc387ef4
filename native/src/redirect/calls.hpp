// The collectives that have mock-ups, for C programs: rerouted where the profile says so, else the library's.
#pragma once

#include <mpi.h>

namespace ictus::redirect {

int allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
              MPI_Comm comm) noexcept;
int allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) noexcept;
int bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) noexcept;
int gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
           int root, MPI_Comm comm) noexcept;
int reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) noexcept;
int reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) noexcept;
int reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm) noexcept;
int scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) noexcept;
int scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
            int root, MPI_Comm comm) noexcept;

} // namespace ictus::redirect
