// The functions that are counted, in C and Fortran; calls.hpp and counting.cpp say what is counted of them.
#include "interposition/wrappers.hpp"

extern "C" {

#define ICTUS_CALL ICTUS_IN_C
ICTUS_ALL_CALLS
ICTUS_REQUEST_FREE(ICTUS_CALL)
#undef ICTUS_CALL
#define ICTUS_CALL ICTUS_IN_FORTRAN
ICTUS_ALL_CALLS
ICTUS_REQUEST_FREE(ICTUS_CALL)
#undef ICTUS_CALL
#define ICTUS_CALL ICTUS_IN_LARGE_C
ICTUS_ALL_LARGE_CALLS
#undef ICTUS_CALL

} // extern "C"
