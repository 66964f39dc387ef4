// MPI handles as objects that free themselves, and return codes as Errors.
#pragma once

#include <cstddef>
#include <mpi.h>
#include <span>
#include <utility>

namespace ictus::mpi {

/// Throws a measurement Error with the call and MPI's own text unless `code` is MPI_SUCCESS. Needs an error handler
/// that returns (mpi/session sets it).
void check(int code, const char* call);

/// A communicator that we made and free.
class Communicator {
public:
    Communicator() = default;
    /// A private duplicate: its messages never meet the caller's.
    [[nodiscard]] static Communicator duplicate(MPI_Comm comm);
    /// The same for a communicator of another program: its attributes are not copied, so none of the program's
    /// functions runs.
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

/// A datatype that we made and free.
class DerivedType {
public:
    /// None.
    DerivedType() = default;
    /// Owns `handle`, and commits it.
    explicit DerivedType(MPI_Datatype handle);
    ~DerivedType();
    DerivedType(DerivedType&& other) noexcept : handle_(std::exchange(other.handle_, MPI_DATATYPE_NULL)) {}
    DerivedType& operator=(DerivedType&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }

    /// The same data, with this distance in elements from one to the next.
    [[nodiscard]] DerivedType resized(MPI_Datatype element, std::size_t extent) const;
    [[nodiscard]] bool exists() const { return handle_ != MPI_DATATYPE_NULL; }
    [[nodiscard]] MPI_Datatype handle() const { return handle_; }

private:
    MPI_Datatype handle_ = MPI_DATATYPE_NULL;
};

/// A persistent request that we made and free.
class PersistentRequest {
public:
    PersistentRequest() = default;
    /// Must not be active.
    ~PersistentRequest() {
        if (handle_ != MPI_REQUEST_NULL) {
            MPI_Request_free(&handle_);
        }
    }
    PersistentRequest(const PersistentRequest&) = delete;
    PersistentRequest& operator=(const PersistentRequest&) = delete;

    /// For the call that makes it, and for MPI_Start and what completes it, which leave a persistent handle as it is.
    [[nodiscard]] MPI_Request* handle() { return &handle_; }

private:
    MPI_Request handle_ = MPI_REQUEST_NULL;
};

/// The group of one rank of a communicator, or of several in a row, made by us and freed.
class RankGroup {
public:
    RankGroup(MPI_Comm comm, int first, int n_ranks = 1);
    ~RankGroup();
    RankGroup(const RankGroup&) = delete;
    RankGroup& operator=(const RankGroup&) = delete;

    [[nodiscard]] MPI_Group handle() const { return handle_; }

private:
    MPI_Group handle_ = MPI_GROUP_NULL;
};

/// A window that we made and free: memory of every rank that the others access by one-sided calls.
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
