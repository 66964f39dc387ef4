// Memory of every rank of a communicator that the others reach one-sidedly: made, and therefore freed, by us.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace ictus::mpi {

class Window {
public:
    /// Collective: allocates `size_bytes` on this rank.
    Window(std::size_t size_bytes, MPI_Comm comm);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] MPI_Win handle() const { return handle_; }
    /// This rank's memory.
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size_bytes() const { return size_bytes_; }

private:
    std::size_t size_bytes_;
    std::byte* data_ = nullptr;
    MPI_Win handle_ = MPI_WIN_NULL;
};

} // namespace ictus::mpi
