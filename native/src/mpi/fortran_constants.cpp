#include "mpi/fortran_constants.hpp"

#include <cstddef>
#include <dlfcn.h>
#include <mpi.h>

namespace ictus::mpi::fortran {
namespace {

/// A variable in the program or the library, of any of these names.
class FortranConstant {
public:
    FortranConstant(const char* lower, const char* one, const char* two, const char* upper) {
        for (const char* const name : {lower, one, two, upper}) {
            if (void* const found = dlsym(RTLD_DEFAULT, name)) {
                locations_[n_++] = found;
            }
        }
    }
    [[nodiscard]] bool is_known() const { return n_ > 0; }
    [[nodiscard]] bool is(const void* address) const {
        for (std::size_t i = 0; i < n_; ++i) {
            if (locations_[i] == address) {
                return true;
            }
        }
        return false;
    }

private:
    void* locations_[4] = {};
    std::size_t n_ = 0;
};

const FortranConstant& in_place() {
    static const FortranConstant found("mpi_fortran_in_place", "mpi_fortran_in_place_", "mpi_fortran_in_place__",
                                       "MPI_FORTRAN_IN_PLACE");
    return found;
}

const FortranConstant& bottom() {
    static const FortranConstant found("mpi_fortran_bottom", "mpi_fortran_bottom_", "mpi_fortran_bottom__",
                                       "MPI_FORTRAN_BOTTOM");
    return found;
}

} // namespace

bool has_constants() { return in_place().is_known(); }

void* buffer(void* address) {
    if (in_place().is(address)) {
        return MPI_IN_PLACE;
    }
    return bottom().is(address) ? MPI_BOTTOM : address;
}

} // namespace ictus::mpi::fortran
