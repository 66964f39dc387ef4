// The collectives that have mock-ups, for C programs: rerouted where the profile says so, else the library's. Each is
// there with counts of int and, where the library has that form, of MPI_Count: what is rerouted fits an int.
#pragma once

#include "mpi/argument.hpp"
#include "mpi/functions.hpp"

namespace ictus::redirect {

#define ICTUS_CALL(name, lower, UPPER, ...) int lower(ICTUS_PARAMETERS(__VA_ARGS__)) noexcept;
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#if ICTUS_HAS_LARGE_COUNTS
#define ICTUS_CALL(name, lower, UPPER, ...) int lower(ICTUS_LARGE_PARAMETERS(__VA_ARGS__)) noexcept;
ICTUS_COLLECTIVES_WITH_MOCKUPS(ICTUS_CALL)
#undef ICTUS_CALL
#endif

} // namespace ictus::redirect
