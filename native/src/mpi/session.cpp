#include "mpi/session.hpp"

#include "base/defaults.hpp"
#include "mpi/handles.hpp"

#include <cstdio>
#include <ctime>
#include <exception>
#include <mpi.h>
#include <unistd.h>

namespace ictus::mpi {

Session::Session(int* argc, char*** argv, Threads threads) : exceptions_(std::uncaught_exceptions()) {
    int given = MPI_THREAD_SINGLE;
    const int code =
        threads == Threads::multiple ? MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &given) : MPI_Init(argc, argv);
    if (code != MPI_SUCCESS) {
        throw measurement_error("MPI_Init failed");
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
}

Session::~Session() {
    if (std::uncaught_exceptions() == exceptions_) {
        MPI_Finalize();
    }
}

bool Session::all_agree(bool mine) const {
    const int own[] = {mine ? 1 : 0, mine ? -1 : 0};
    int most[] = {0, 0}; // the largest, and the negated smallest
    check(MPI_Allreduce(own, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "MPI_Allreduce");
    return most[0] == -most[1];
}

void Session::require_size(int expected) const {
    if (expected == 0 || expected == size_) {
        return;
    }
    throw measurement_error("asked for " + std::to_string(expected) + " ranks, but MPI_COMM_WORLD has " +
                            std::to_string(size_) + "; was the program started by another MPI library's launcher?");
}

void Session::abort(const Error& error) const {
    constexpr std::timespec moment{0, 300'000'000};
    if (rank_ != 0) {
        nanosleep(&moment, nullptr);
    }
    std::fflush(stdout);
    std::fprintf(stderr, "ictus-bench: rank %d: %s\n", rank_, error.what());
    std::fflush(stderr);
    if constexpr (is_simulated) { // all ranks are in this process, and a simulator that aborts ends with 0
        _exit(error.exit_code());
    }
    constexpr std::timespec forwarding{0, 100'000'000};
    nanosleep(&forwarding, nullptr); // some launchers drop output that they have not yet forwarded
    MPI_Abort(MPI_COMM_WORLD, error.exit_code());
    _exit(error.exit_code());
}

} // namespace ictus::mpi
