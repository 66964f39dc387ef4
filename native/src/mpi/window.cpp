#include "mpi/window.hpp"

#include "mpi/check.hpp"

#include <exception>

namespace ictus::mpi {

Window::Window(std::size_t size_bytes, MPI_Comm comm) : size_bytes_(size_bytes) {
    check(MPI_Win_allocate(static_cast<MPI_Aint>(size_bytes), 1, MPI_INFO_NULL, comm, static_cast<void*>(&data_),
                           &handle_),
          "MPI_Win_allocate");
    check(MPI_Win_set_errhandler(handle_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
}

Window::~Window() {
    // As a communicator: freeing is collective, and with an error on its way the other ranks may be anywhere.
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (handle_ != MPI_WIN_NULL && finalised == 0 && std::uncaught_exceptions() == 0) {
        MPI_Win_free(&handle_);
    }
}

} // namespace ictus::mpi
