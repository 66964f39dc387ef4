// A communicator that we made and therefore free.
#pragma once

#include <mpi.h>
#include <span>
#include <utility>

namespace ictus::mpi {

class Communicator {
public:
    Communicator() = default;
    /// A private duplicate: its messages never meet the caller's.
    [[nodiscard]] static Communicator duplicate(MPI_Comm comm);
    /// The same for a communicator of somebody else's program: what the program keeps with it is not copied, so none of
    /// the program's functions runs.
    [[nodiscard]] static Communicator without_attributes(MPI_Comm comm);
    /// The ranks of `comm` that share memory, and so a host, with the caller.
    [[nodiscard]] static Communicator same_host(MPI_Comm comm);
    /// The ranks of one `group`, ordered by `rank`; none for a rank that takes no part. Collective over `comm`.
    [[nodiscard]] static Communicator part(MPI_Comm comm, bool takes_part, int group, int rank);
    /// The same ranks, in the same order, with a Cartesian topology of these lengths.
    [[nodiscard]] static Communicator cartesian(MPI_Comm comm, std::span<const int> lengths, bool periodic);
    /// The same ranks, in the same order, with this rank's neighbours.
    [[nodiscard]] static Communicator graph(MPI_Comm comm, std::span<const int> sources,
                                            std::span<const int> destinations);

    ~Communicator();
    Communicator(Communicator&& other) noexcept : handle_(std::exchange(other.handle_, MPI_COMM_NULL)) {}
    Communicator& operator=(Communicator&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }

    [[nodiscard]] MPI_Comm handle() const { return handle_; }
    [[nodiscard]] int rank() const;
    [[nodiscard]] int size() const;

private:
    explicit Communicator(MPI_Comm handle) : handle_(handle) {}

    MPI_Comm handle_ = MPI_COMM_NULL;
};

} // namespace ictus::mpi
