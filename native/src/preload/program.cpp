// libictus-preload.so: MPI_Barrier of an unmodified program does what ICTUS_PROCSYNC says (preload.md).
#include "base/error.hpp"
#include "interposition/wrappers.hpp"
#include "mpi/agreement.hpp"
#include "preload/replacement.hpp"

namespace ictus::preload {
namespace {

std::unique_ptr<Replacement> replacement;
bool has_ended = false;

void begin() { replacement = std::make_unique<Replacement>(mpi::agreed(MPI_COMM_WORLD, read_settings)); }

void end() {
    has_ended = true;
    replacement->finish();
}

} // namespace
} // namespace ictus::preload

using namespace ictus;

const interposition::Library interposition::library = {"ictus-preload", preload::begin, preload::end};

int interposition::take(CallId, const CallFacts& facts, const void*, const LibraryCall& library_call) noexcept {
    if (!preload::replacement || preload::has_ended || // MPI_Finalize runs the program's callbacks
        facts.comm == MPI_COMM_NULL) {
        return library_call();
    }
    const OwnCallsScope scope;
    try {
        preload::replacement->barrier(facts.comm);
        return MPI_SUCCESS;
    } catch (const Error& error) {
        return raise(facts.comm, MPI_ERR_OTHER, error.what());
    }
}

extern "C" {
ICTUS_BARRIER(ICTUS_IN_C)
ICTUS_BARRIER(ICTUS_IN_FORTRAN)
} // extern "C"
