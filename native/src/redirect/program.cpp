#include "redirect/program.hpp"

#include "base/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/preloading.hpp"

#include "redirect/calls.hpp"
#include <cstdio>
#include <utility>

namespace ictus::redirect {
namespace {

std::unique_ptr<Redirection> redirection;
bool has_begun = false;
thread_local bool inside = false;

constexpr const char* name = "ictus-redirect";

void say(const char* what) { std::fprintf(stderr, "%s: %s\n", name, what); }

} // namespace

MockupScope::MockupScope() : was_inside_(std::exchange(inside, true)) {}
MockupScope::~MockupScope() { inside = was_inside_; }

Redirection* current() noexcept { return inside ? nullptr : redirection.get(); }

int begin(int code) noexcept {
    if (code != MPI_SUCCESS || inside || has_begun) {
        return code;
    }
    const MockupScope guard;
    has_begun = true;
    mpi::require_own_library(name);
    try {
        const RedirectSettings settings = mpi::agreed(MPI_COMM_WORLD, read_settings);
        redirection = std::make_unique<Redirection>(settings);
    } catch (const Error& error) {
        mpi::refuse(name, error);
    }
    return code;
}

void end() noexcept {
    if (inside || !redirection) {
        return;
    }
    const MockupScope guard;
    try {
        redirection->finish();
    } catch (const std::exception& error) {
        say(error.what());
    }
    redirection.reset(); // with all memory; MPI_Finalize runs the program's callbacks, whose calls are the library's
}

int raise(MPI_Comm comm, int code, const char* what) noexcept {
    say(what);
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

} // namespace ictus::redirect

// libictus-redirect.so: collectives of an unmodified program become the mock-ups that a profile names as faster. These
// functions come before the library's, which they reach by their profiling names (redirect.md).
using namespace ictus;

extern "C" {

int MPI_Init(int* argc, char*** argv) { return redirect::begin(PMPI_Init(argc, argv)); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return redirect::begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Finalize() {
    redirect::end();
    return PMPI_Finalize();
}

#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int MPI_##name(ICTUS_PARAMETERS(__VA_ARGS__)) { return redirect::lower(ICTUS_NAMES(__VA_ARGS__)); }
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#if ICTUS_HAS_LARGE_COUNTS
#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int MPI_##name##_c(ICTUS_LARGE_PARAMETERS(__VA_ARGS__)) { return redirect::lower(ICTUS_NAMES(__VA_ARGS__)); }
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#endif

} // extern "C"
