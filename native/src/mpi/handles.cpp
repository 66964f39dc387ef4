#include "mpi/handles.hpp"

#include "base/error.hpp"

#include <exception>
#include <mpi.h>
#include <vector>

namespace ictus::mpi {

void check(int code, const char* call) {
    if (code == MPI_SUCCESS) {
        return;
    }
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
        length = 0;
    }
    throw measurement_error(
        std::string(call) + " failed: " +
        (length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "code " + std::to_string(code)));
}

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
    // Freeing is collective. During an error the other ranks may be anywhere, and the launch is about to end.
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

DerivedType::DerivedType(MPI_Datatype handle) : handle_(handle) { check(MPI_Type_commit(&handle_), "MPI_Type_commit"); }

DerivedType::~DerivedType() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (exists() && finalised == 0) {
        MPI_Type_free(&handle_);
    }
}

DerivedType DerivedType::resized(MPI_Datatype element, std::size_t extent) const {
    MPI_Aint lower = 0;
    MPI_Aint element_bytes = 0;
    check(MPI_Type_get_extent(element, &lower, &element_bytes), "MPI_Type_get_extent");
    MPI_Datatype resized = MPI_DATATYPE_NULL;
    check(MPI_Type_create_resized(handle_, 0, static_cast<MPI_Aint>(extent) * element_bytes, &resized),
          "MPI_Type_create_resized");
    return DerivedType(resized);
}

RankGroup::RankGroup(MPI_Comm comm, int first, int n_ranks) {
    MPI_Group all = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm, &all), "MPI_Comm_group");
    int range[1][3] = {{first, first + n_ranks - 1, 1}};
    const int code = MPI_Group_range_incl(all, 1, range, &handle_);
    MPI_Group_free(&all);
    check(code, "MPI_Group_range_incl");
}

RankGroup::~RankGroup() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised == 0 && handle_ != MPI_GROUP_NULL) {
        MPI_Group_free(&handle_);
    }
}

Window::Window(std::size_t size_bytes, MPI_Comm comm) : size_bytes_(size_bytes) {
    check(MPI_Win_allocate(static_cast<MPI_Aint>(size_bytes), 1, MPI_INFO_NULL, comm, static_cast<void*>(&data_),
                           &handle_),
          "MPI_Win_allocate");
    check(MPI_Win_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
}

Window::~Window() {
    // As for communicators: freeing is collective, and during an error the other ranks may be anywhere.
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (handle_ != MPI_WIN_NULL && finalised == 0 && std::uncaught_exceptions() == 0) {
        MPI_Win_free(&handle_);
    }
}

} // namespace ictus::mpi
