#include "record/mpi_facts.hpp"

#include "machine/system_tree.hpp"

#include <mpi.h>

#include <array>
#include <optional>
#include <string>

namespace ictus::record {

namespace {

std::string library_version() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) {
        return std::string(machine::unknown);
    }
    return std::string(
        machine::trimmed(text.data())); // some texts end in a line feed, some lengths count the final zero
}

std::string standard() {
    int major = 0;
    int minor = 0;
    return MPI_Get_version(&major, &minor) == MPI_SUCCESS ? std::to_string(major) + "." + std::to_string(minor)
                                                          : std::string(machine::unknown);
}

std::string thread_level() {
    int level = 0;
    if (MPI_Query_thread(&level) != MPI_SUCCESS) {
        return std::string(machine::unknown);
    }
    return std::string(level == MPI_THREAD_SINGLE       ? "single"
                       : level == MPI_THREAD_FUNNELED   ? "funneled"
                       : level == MPI_THREAD_SERIALIZED ? "serialized"
                       : level == MPI_THREAD_MULTIPLE   ? "multiple"
                                                        : machine::unknown);
}

std::optional<bool> wtime_is_global() {
    void* value = nullptr;
    int found = 0;
    if (MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, static_cast<void*>(&value), &found) != MPI_SUCCESS ||
        found == 0) {
        return std::nullopt;
    }
    return *static_cast<const int*>(value) != 0;
}

} // namespace

MpiFacts read_mpi_facts() { return {library_version(), standard(), thread_level(), wtime_is_global()}; }

} // namespace ictus::record
