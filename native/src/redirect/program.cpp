#include "redirect/program.hpp"

#include "base/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/preloading.hpp"

#include <cstdio>

namespace ictus::redirect {
namespace {

std::unique_ptr<Redirection> redirection;
bool has_begun = false;
thread_local bool inside = false;

constexpr const char* name = "ictus-redirect";

void say(const char* what) { std::fprintf(stderr, "%s: %s\n", name, what); }

} // namespace

MockupScope::MockupScope() { inside = true; }
MockupScope::~MockupScope() { inside = false; }

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
