/* Loaded behind the redirect library: MPI's allgather, as mock-ups call it, delivers one wrong byte on every rank. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

typedef int allgather(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);

int PMPI_Allgather(const void* send, int n, MPI_Datatype sent, void* receive, int count, MPI_Datatype type,
                   MPI_Comm comm) {
    union {
        void* found;
        allgather* call;
    } next = {dlsym(RTLD_NEXT, "PMPI_Allgather")};
    const int code = next.call(send, n, sent, receive, count, type, comm);
    if (count > 0 && type == MPI_INT) {
        *(unsigned char*)receive ^= 1;
    }
    return code;
}
