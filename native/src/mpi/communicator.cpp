#include "mpi/communicator.hpp"

#include "mpi/check.hpp"

#include <exception>
#include <vector>

namespace ictus::mpi {

Communicator Communicator::duplicate(MPI_Comm comm) {
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Comm_dup(comm, &handle), "MPI_Comm_dup");
    check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return Communicator(handle);
}

Communicator Communicator::without_attributes(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm, &group), "MPI_Comm_group");
    MPI_Comm handle = MPI_COMM_NULL;
    const int code = MPI_Comm_create(comm, group, &handle);
    MPI_Group_free(&group);
    check(code, "MPI_Comm_create");
    check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return Communicator(handle);
}

Communicator Communicator::same_host(MPI_Comm comm) {
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &handle), "MPI_Comm_split_type");
    return Communicator(handle);
}

Communicator Communicator::part(MPI_Comm comm, bool takes_part, int group, int rank) {
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Comm_split(comm, takes_part ? group : MPI_UNDEFINED, rank, &handle), "MPI_Comm_split");
    Communicator made(handle);
    if (takes_part) {
        check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    }
    return made;
}

Communicator Communicator::cartesian(MPI_Comm comm, std::span<const int> lengths, bool periodic) {
    const std::vector<int> periods(lengths.size(), periodic ? 1 : 0);
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Cart_create(comm, static_cast<int>(lengths.size()), lengths.data(), periods.data(), 0, &handle),
          "MPI_Cart_create");
    Communicator made(handle);
    check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return made;
}

Communicator Communicator::graph(MPI_Comm comm, std::span<const int> sources, std::span<const int> destinations) {
    MPI_Comm handle = MPI_COMM_NULL;
    check(MPI_Dist_graph_create_adjacent(comm, static_cast<int>(sources.size()), sources.data(), MPI_UNWEIGHTED,
                                         static_cast<int>(destinations.size()), destinations.data(), MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, &handle),
          "MPI_Dist_graph_create_adjacent");
    Communicator made(handle);
    check(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return made;
}

Communicator::~Communicator() {
    // Freeing is collective. With an error on its way the other ranks may be anywhere, and the launch is about to end.
    // A program that uses our clock may have finalised MPI, which freed it.
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (handle_ != MPI_COMM_NULL && finalised == 0 && std::uncaught_exceptions() == 0) {
        MPI_Comm_free(&handle_);
    }
}

int Communicator::rank() const {
    int rank = 0;
    check(MPI_Comm_rank(handle_, &rank), "MPI_Comm_rank");
    return rank;
}

int Communicator::size() const {
    int size = 0;
    check(MPI_Comm_size(handle_, &size), "MPI_Comm_size");
    return size;
}

} // namespace ictus::mpi
