#include "interposition/preloading.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mpi.h>
#include <string>
#include <unistd.h>

namespace ictus::interposition {
namespace {

#if defined(MPI_ABI_VERSION) && !defined(OPEN_MPI) && !defined(MPICH_VERSION)
constexpr LibraryAbi built_for = LibraryAbi::standard;
constexpr const char* built_for_name = "the standard ABI of MPI 5";
#elif defined(OPEN_MPI)
constexpr LibraryAbi built_for = LibraryAbi::openmpi;
constexpr const char* built_for_name = "Open MPI";
#elif defined(MPICH_VERSION) || defined(MPICH_NAME) || defined(I_MPI_VERSION)
constexpr LibraryAbi built_for = LibraryAbi::mpich;
constexpr const char* built_for_name = "MPICH or what is compatible with it";
#else
constexpr LibraryAbi built_for = LibraryAbi::unknown;
constexpr const char* built_for_name = "another MPI";
#endif

/// MPI_MAX_LIBRARY_VERSION_STRING is what our library needs, not the other one: none is longer than MPICH's.
constexpr std::size_t longest_version = 16384;

/// Without a handle, only the launcher's environment has the rank.
bool is_silent() {
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
        if (const char* const rank = std::getenv(name)) {
            return std::string(rank) != "0";
        }
    }
    return false;
}

/// Whether handles are those of the standard ABI: of a library with an ABI of its own this function says -1, and older
/// ones do not have it, so that it cannot be linked.
bool has_standard_abi() {
    using AbiVersion = int (*)(int*, int*);
    const auto ask = reinterpret_cast<AbiVersion>(dlsym(RTLD_DEFAULT, "PMPI_Abi_get_version"));
    int major = -1;
    int minor = -1;
    return ask != nullptr && ask(&major, &minor) == MPI_SUCCESS && major >= 1;
}

} // namespace

void require_own_library(const char* who) {
    std::array<char, longest_version> text{};
    int length = 0;
    if (PMPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) {
        return;
    }
    const std::string version = text.data();
    const LibraryAbi found = has_standard_abi() ? LibraryAbi::standard : abi_of(version);
    if (built_for == LibraryAbi::unknown || found == LibraryAbi::unknown || found == built_for) {
        return;
    }
    const Error error = usage_error("lib" + std::string(who) + ".so was built for " + built_for_name +
                                    ", but the program runs on '" + version.substr(0, version.find_first_of(",\n")) +
                                    "'" + (found == LibraryAbi::standard ? " with the standard ABI" : "") +
                                    ": load the library that was built for that MPI");
    if (!is_silent()) {
        std::fprintf(stderr, "%s: %s\n", who, error.what());
    }
    PMPI_Finalize();
    std::exit(error.exit_code());
}

void refuse(const char* who, const Error& error) {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::fprintf(stderr, "%s: %s\n", who, error.what());
    }
    std::fflush(nullptr);
    if constexpr (is_simulated) { // all ranks are in this process
        _exit(error.exit_code());
    }
    PMPI_Finalize();
    // MPICH 5.0 signs off from its launcher in a handler of exit(). A rank that ends without it counts as crashed: the
    // launcher kills the others, and may then report signal 9 instead of our exit code.
    std::exit(error.exit_code());
}

} // namespace ictus::interposition
