// libictus-redirect.so: collectives of a program that was not made for it become the mock-ups that a profile says are
// faster. These functions stand in front of the library's; its own are reached by their profiling names
// (docs/redirect.md).
#include "redirect/calls.hpp"
#include "redirect/program.hpp"

using namespace ictus;

extern "C" {

int MPI_Init(int* argc, char*** argv) { return redirect::begin(PMPI_Init(argc, argv)); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return redirect::begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Finalize() {
    redirect::end();
    return PMPI_Finalize();
}

int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                  MPI_Comm comm) {
    return redirect::allgather(send, send_count, send_type, receive, count, type, comm);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return redirect::allreduce(send, receive, count, type, op, comm);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return redirect::bcast(buffer, count, type, root, comm);
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               int root, MPI_Comm comm) {
    return redirect::gather(send, send_count, send_type, receive, count, type, root, comm);
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    return redirect::reduce(send, receive, count, type, op, root, comm);
}

int MPI_Reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
    return redirect::reduce_scatter(send, receive, counts, type, op, comm);
}

int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return redirect::reduce_scatter_block(send, receive, count, type, op, comm);
}

int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return redirect::scan(send, receive, count, type, op, comm);
}

int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                int root, MPI_Comm comm) {
    return redirect::scatter(send, send_count, send_type, receive, count, type, root, comm);
}

} // extern "C"
