// MPI_Init to MPI_Finalize as one object. MPI_Init and not MPI_Init_thread: MPICH's remedy for oversubscription works
// with it only.
#pragma once

#include "base/error.hpp"

namespace ictus::mpi {

/// The thread level that the program requests.
enum class Threads {
    as_is,    ///< MPI_Init: the library's default
    multiple, ///< MPI_THREAD_MULTIPLE; MPI_Query_thread shows whether the library provides it
};

class Session {
public:
    Session(int* argc, char*** argv, Threads threads = Threads::as_is);
    /// Finalises, except during an error: then the other ranks may be anywhere, and only abort() ends them.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }

    /// Collective: whether `mine` is the same on all ranks.
    [[nodiscard]] bool all_agree(bool mine) const;

    /// Throws unless there are `expected` ranks (0: any number is right). The launcher of another MPI library starts
    /// that many single processes, exits with 0 and leaves plausible numbers.
    void require_size(int expected) const;

    /// Prints the error and ends all ranks with its exit code. Ranks other than 0 wait a moment, so that an error of
    /// all ranks is printed once.
    [[noreturn]] void abort(const Error& error) const;

private:
    int rank_ = 0;
    int size_ = 1;
    int exceptions_;
};

} // namespace ictus::mpi
