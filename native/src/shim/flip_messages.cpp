// libictus-flip: messages between two ranks. What arrives at one rank is spoiled, of messages with one tag where one is
// named (ICTUS_FLIP_TAG): those by which Ictus itself synchronises clocks have another.
#include "shim/flip_settings.hpp"
#include "shim/spoiling.hpp"

namespace {

using namespace ictus::shim;

/// Where a message with `tag` from `from` goes to, if it is one to spoil. Nothing arrives from nobody.
Received arriving(void* data, int count, MPI_Datatype type, int from) {
    return from == MPI_PROC_NULL ? Received() : blocks(data, 1, count, type);
}

bool is_meant(const char* name, MPI_Comm comm, int tag) {
    const auto wanted = flip_settings().tag;
    return (!wanted || *wanted == tag) && is_target(name, comm);
}

} // namespace

extern "C" {

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    return spoiled(
        is_meant("MPI_Recv", comm, tag), [&] { return arriving(data, count, type, from); },
        [&] { return PMPI_Recv(data, count, type, from, tag, comm, status); });
}

int MPI_Sendrecv(const void* sent, int n_sent, MPI_Datatype sent_type, int to, int sent_tag, void* data, int count,
                 MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    return spoiled(
        is_meant("MPI_Sendrecv", comm, tag), [&] { return arriving(data, count, type, from); },
        [&] {
            return PMPI_Sendrecv(sent, n_sent, sent_type, to, sent_tag, data, count, type, from, tag, comm, status);
        });
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    return spoiled_later(
        is_meant("MPI_Irecv", comm, tag), [&] { return arriving(data, count, type, from); }, request, false,
        [&] { return PMPI_Irecv(data, count, type, from, tag, comm, request); });
}

int MPI_Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    return spoiled_later(
        is_meant("MPI_Recv_init", comm, tag), [&] { return arriving(data, count, type, from); }, request, true,
        [&] { return PMPI_Recv_init(data, count, type, from, tag, comm, request); });
}

} // extern "C"
