#include "preload/program.hpp"

#include "base/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/preloading.hpp"
#include "preload/replacement.hpp"

#include <cstdio>

namespace ictus::preload {
namespace {

std::unique_ptr<Replacement> replacement;
bool ended = false;

/// Whether this thread is inside our own code: then a barrier is the library's.
thread_local bool inside = false;

class OwnCodeScope {
public:
    OwnCodeScope() { inside = true; }
    ~OwnCodeScope() { inside = false; }
    OwnCodeScope(const OwnCodeScope&) = delete;
    OwnCodeScope& operator=(const OwnCodeScope&) = delete;
};

constexpr const char* name = "ictus-preload";

void say(const Error& error) { std::fprintf(stderr, "%s: %s\n", name, error.what()); }

void start() {
    mpi::require_own_library(name);
    try {
        const PreloadSettings settings = mpi::agreed(MPI_COMM_WORLD, read_settings);
        replacement = std::make_unique<Replacement>(settings);
    } catch (const Error& error) {
        mpi::refuse(name, error);
    }
}

/// Reports an error as the library does: by the communicator's handler, which may end the program.
int raise(MPI_Comm comm, const Error& error) {
    say(error);
    const int code = MPI_ERR_OTHER;
    MPI_Comm_call_errhandler(comm, code);
    return code;
}

} // namespace

int begin(int code) noexcept {
    if (code == MPI_SUCCESS && !inside && !replacement) {
        const OwnCodeScope guard;
        start();
    }
    return code;
}

int barrier(MPI_Comm comm) noexcept {
    if (inside || !replacement || ended || comm == MPI_COMM_NULL) { // MPI_Finalize runs the program's callbacks
        return PMPI_Barrier(comm);
    }
    const OwnCodeScope guard;
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
    const OwnCodeScope guard;
    ended = true;
    try {
        replacement->finish();
    } catch (const Error& error) {
        say(error);
    }
}

} // namespace ictus::preload

// libictus-preload.so: MPI_Barrier of an unmodified program does what ICTUS_PROCSYNC says. These functions come before
// the library's, which they reach by their profiling names (preload.md).
using namespace ictus;

extern "C" {

int MPI_Init(int* argc, char*** argv) { return preload::begin(PMPI_Init(argc, argv)); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return preload::begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Barrier(MPI_Comm comm) { return preload::barrier(comm); }

int MPI_Finalize() {
    preload::end();
    return PMPI_Finalize();
}

} // extern "C"
