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

int MPI_Allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                  MPI_Comm comm) {
    return redirect::allgather(send, send_count, send_type, receive, count, type, comm);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return redirect::allreduce(send, receive, count, type, op, comm);
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    return redirect::bcast(buffer, count, type, root, comm);
}

int MPI_Gather(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
               int root, MPI_Comm comm) {
    return redirect::gather(send, send_count, send_type, receive, count, type, root, comm);
}

int MPI_Reduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    return redirect::reduce(send, receive, count, type, op, root, comm);
}

int MPI_Reduce_scatter(const void* send, void* receive, const int counts[], MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm) {
    return redirect::reduce_scatter(send, receive, counts, type, op, comm);
}

int MPI_Reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return redirect::reduce_scatter_block(send, receive, count, type, op, comm);
}

int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    return redirect::scan(send, receive, count, type, op, comm);
}

int MPI_Scatter(const void* send, int send_count, MPI_Datatype send_type, void* receive, int count, MPI_Datatype type,
                int root, MPI_Comm comm) {
    return redirect::scatter(send, send_count, send_type, receive, count, type, root, comm);
}

} // extern "C"
