#include "mpi/check.hpp"

#include "base/error.hpp"

#include <mpi.h>

namespace ictus::mpi {

void check(int code, const char* call) {
    if (code == MPI_SUCCESS) {
        return;
    }
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) {
        length = 0;
    }
    throw measurement_error(
        std::string(call) + " failed: " +
        (length > 0 ? std::string(text, static_cast<std::size_t>(length)) : "code " + std::to_string(code)));
}

} // namespace ictus::mpi
