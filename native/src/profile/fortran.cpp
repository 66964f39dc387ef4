// The same functions for Fortran programs, under every name that Fortran compilers give them. All their arguments are
// addresses, which the library's own Fortran function gets as they are. MPICH's calls the C function, which counts;
// Open MPI's does not, so that we count here. The two are distinguished as in redirect/fortran.cpp, by Open MPI's
// MPI_IN_PLACE, which in Fortran is a variable. Functions whose names end in f08ts get descriptors of buffers: MPICH
// gives them to calls of mpi_f08 that have buffers, and they call its C functions too.
#include "mpi/fortran.hpp"
#include "base/for_each.hpp"
#include "mpi/fortran_constants.hpp"
#include "profile/program.hpp"

#include <dlfcn.h>

namespace ictus::profile {
namespace {

template <class>
using Address = void*;

/// The call by the Fortran function behind us, `library`, which calls the C function: that counts it for this site.
template <class... Addresses>
void placed_fortran(void* library, const void* site, Addresses... values, MPI_Fint* error) {
    if (library == nullptr) {
        mpi::fortran::give(error, MPI_ERR_UNSUPPORTED_OPERATION); // no Fortran program can be linked without it
        return;
    }
    const SiteScope scope(site);
    reinterpret_cast<void (*)(Addresses..., MPI_Fint*)>(library)(values..., error);
}

/// The call by `library`, which may not call the C function.
template <CallId call, class... Arguments>
void counted_fortran(void* library, const void* site, Address<Arguments>... values, MPI_Fint* error) {
    if (library == nullptr || !counts() || !mpi::fortran::has_constants()) {
        placed_fortran<Address<Arguments>...>(library, site, values..., error);
        return;
    }
    const UncountedScope guard;
    CallFacts facts = facts_of_kind<call, Arguments...>();
    (Arguments::note_fortran(facts, values), ...);
    const DescribedCall described = describe(call, facts, site);
    auto* const function = reinterpret_cast<void (*)(Address<Arguments>..., MPI_Fint*)>(library);
    const Ticks began = now();
    function(values..., error);
    count(described, facts, began, now());
}

void init(const char* name, MPI_Fint* error) { mpi::fortran::init(name, error, begin); }
void init_thread(const char* name, const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
    mpi::fortran::init_thread(name, required, provided, error, begin);
}
void request_free(const char* name, MPI_Fint* request, MPI_Fint* error) {
    MPI_Request known = PMPI_Request_f2c(*request);
    forget(known);
    if (auto* const library = mpi::fortran::next<void(MPI_Fint*, MPI_Fint*)>(name)) {
        library(request, error);
        return;
    }
    mpi::fortran::give(error, PMPI_Request_free(&known));
    *request = PMPI_Request_c2f(known);
}
void finalize(const char* name, MPI_Fint* error) { mpi::fortran::finalize(name, error, end); }

} // namespace

} // namespace ictus::profile

using namespace ictus;

// One call under all names: `SPELLING(lower, UPPER)` is one of them.
#define ICTUS_TEXT(name) ICTUS_TEXT_OF(name)
#define ICTUS_TEXT_OF(name) #name
#define ICTUS_ADDRESS(one) void* one
#define ICTUS_SPELLED(spelled, name, ...)                                                                              \
    void spelled(ICTUS_FOR_EACH(ICTUS_ADDRESS, __VA_ARGS__), MPI_Fint* error) {                                        \
        static void* const library = dlsym(RTLD_NEXT, ICTUS_TEXT(spelled));                                            \
        profile::counted_fortran<profile::CallId::name, ICTUS_KINDS(__VA_ARGS__)>(                                     \
            library, __builtin_return_address(0), ICTUS_NAMES(__VA_ARGS__), error);                                    \
    }
#define ICTUS_ADDRESS_TYPE(one) void*
#define ICTUS_PLACED(spelled, ...)                                                                                     \
    void spelled(ICTUS_FOR_EACH(ICTUS_ADDRESS, __VA_ARGS__), MPI_Fint* error) {                                        \
        static void* const library = dlsym(RTLD_NEXT, ICTUS_TEXT(spelled));                                            \
        profile::placed_fortran<ICTUS_FOR_EACH(ICTUS_ADDRESS_TYPE, __VA_ARGS__)>(library, __builtin_return_address(0), \
                                                                                 ICTUS_NAMES(__VA_ARGS__), error);     \
    }
#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    ICTUS_SPELLED(mpi_##lower, name, __VA_ARGS__)                                                                      \
    ICTUS_SPELLED(mpi_##lower##_, name, __VA_ARGS__)                                                                   \
    ICTUS_SPELLED(mpi_##lower##__, name, __VA_ARGS__)                                                                  \
    ICTUS_SPELLED(MPI_##UPPER, name, __VA_ARGS__)                                                                      \
    ICTUS_SPELLED(mpi_##lower##_f08_, name, __VA_ARGS__)                                                               \
    ICTUS_PLACED(mpi_##lower##_f08ts_, __VA_ARGS__)                                                                    \
    ICTUS_PLACED(mpi_##lower##_f08ts_large_, __VA_ARGS__)

#define ICTUS_REQUEST_FREE(FREE)                                                                                       \
    void FREE(MPI_Fint* request, MPI_Fint* error) { profile::request_free(#FREE, request, error); }
#define ICTUS_BEGIN_AND_END(INIT, INIT_THREAD, FINALIZE)                                                               \
    void INIT(MPI_Fint* error) { profile::init(#INIT, error); }                                                        \
    void INIT_THREAD(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {                                  \
        profile::init_thread(#INIT_THREAD, required, provided, error);                                                 \
    }                                                                                                                  \
    void FINALIZE(MPI_Fint* error) { profile::finalize(#FINALIZE, error); }

extern "C" {

ICTUS_BEGIN_AND_END(mpi_init, mpi_init_thread, mpi_finalize)
ICTUS_BEGIN_AND_END(mpi_init_, mpi_init_thread_, mpi_finalize_)
ICTUS_BEGIN_AND_END(mpi_init__, mpi_init_thread__, mpi_finalize__)
ICTUS_BEGIN_AND_END(MPI_INIT, MPI_INIT_THREAD, MPI_FINALIZE)
ICTUS_BEGIN_AND_END(mpi_init_f08_, mpi_init_thread_f08_, mpi_finalize_f08_)

ICTUS_REQUEST_FREE(mpi_request_free)
ICTUS_REQUEST_FREE(mpi_request_free_)
ICTUS_REQUEST_FREE(mpi_request_free__)
ICTUS_REQUEST_FREE(MPI_REQUEST_FREE)
ICTUS_REQUEST_FREE(mpi_request_free_f08_)

ICTUS_ALL_CALLS

} // extern "C"

#undef ICTUS_CALL
