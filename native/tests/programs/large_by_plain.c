/* Loaded behind a library of ours: an MPI whose functions with large counts call the plain ones by their public names,
   which ours take the place of too. */
#include <mpi.h>

int PMPI_Allreduce_c(const void* send, void* receive, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return MPI_Allreduce(send, receive, (int)count, type, op, comm);
}

int PMPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm) {
    return MPI_Bcast(buffer, (int)count, type, root, comm);
}
