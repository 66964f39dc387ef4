#include "preload/program.hpp"

#include "core/error.hpp"
#include "core/simulated.hpp"
#include "mpi/agreement.hpp"
#include "preload/replacement.hpp"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace ictus::preload {
namespace {

std::unique_ptr<Replacement> replacement;
bool ended = false;

/// Whether this thread is inside our own code: barriers that our algorithms ask the library for are the library's.
thread_local bool inside = false;

class Inside {
public:
    Inside() { inside = true; }
    ~Inside() { inside = false; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
};

void say(const Error& error) { std::fprintf(stderr, "ictus-preload: %s\n", error.what()); }

/// What every rank finds, rank 0 says; then all end in order, so that no launcher complains of a crash.
[[noreturn]] void give_up(const Error& error) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        say(error);
    }
    std::fflush(nullptr);
    if constexpr (!is_simulated) { // there all ranks are in this process
        PMPI_Finalize();
    }
    _exit(error.exit_code());
}

void start() {
    try {
        const Settings settings = mpi::agreed(MPI_COMM_WORLD, read_settings);
        replacement = std::make_unique<Replacement>(settings);
    } catch (const Error& error) {
        give_up(error);
    }
}

/// As the library's own errors are: by the communicator's handler, which may end the program.
int raise(MPI_Comm comm, const Error& error) {
    say(error);
    const int code = MPI_ERR_OTHER;
    MPI_Comm_call_errhandler(comm, code);
    return code;
}

} // namespace

int begin(int code) noexcept {
    if (code == MPI_SUCCESS && !inside && !replacement) {
        const Inside guard;
        start();
    }
    return code;
}

int barrier(MPI_Comm comm) noexcept {
    if (inside || !replacement || ended || comm == MPI_COMM_NULL) { // MPI_Finalize runs the program's callbacks
        return PMPI_Barrier(comm);
    }
    const Inside guard;
    try {
        replacement->barrier(comm);
        return MPI_SUCCESS;
    } catch (const Error& error) {
        return raise(comm, error);
    }
}

void end() noexcept {
    if (inside || !replacement || ended) {
        return;
    }
    const Inside guard;
    ended = true;
    try {
        replacement->finish();
    } catch (const Error& error) {
        say(error);
    }
}

} // namespace ictus::preload
