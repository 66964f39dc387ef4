#include "core/library_abi.hpp"

namespace ictus {

LibraryAbi abi_of(std::string_view library_version) {
    const std::string_view first = library_version.substr(0, library_version.find('\n'));
    // Open MPI's text names the package that it is of, whose builder may have called it anything.
    for (const std::string_view one : {"Open MPI", "IBM Spectrum MPI"}) {
        if (first.starts_with(one)) {
            return LibraryAbi::openmpi;
        }
    }
    for (const std::string_view one : {"MPICH", "Intel(R) MPI", "MVAPICH"}) {
        if (first.find(one) != std::string_view::npos) {
            return LibraryAbi::mpich;
        }
    }
    return LibraryAbi::unknown;
}

} // namespace ictus
