#include "interposition/program.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "interposition/preloading.hpp"
#include "mpi/agreement.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/handles.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace ictus::interposition {
namespace {

bool has_begun = false;
bool has_ended = false;

} // namespace

int begin(int code) noexcept {
    if (code != MPI_SUCCESS || inside || std::exchange(has_begun, true)) {
        return code;
    }
    const OwnCallsScope scope;
    require_own_library(library.name);
    try {
        library.begin();
    } catch (const Error& error) {
        refuse(library.name, error);
    }
    return code;
}

void end() noexcept {
    if (inside || !has_begun || std::exchange(has_ended, true)) {
        return;
    }
    const OwnCallsScope scope;
    try {
        library.end();
    } catch (const std::exception& error) {
        say(error.what());
    }
}

void say(const std::string& what) noexcept { std::fprintf(stderr, "%s: %s\n", library.name, what.c_str()); }

int raise(MPI_Comm comm, int code, const char* what) noexcept {
    std::fprintf(stderr, "%s: %s\n", library.name, what);
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

std::string_view variable(const char* name, std::string_view otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr || *text == '\0' ? otherwise : std::string_view(text);
}

std::uint64_t count_in(const char* name, std::string_view otherwise, std::uint64_t least, std::uint64_t greatest) {
    const std::string what = std::string("variable '") + name + "'";
    const std::uint64_t count = parse_count(variable(name, otherwise), what);
    if (count < least || count > greatest) {
        throw usage_error(what + ": " + std::to_string(count) + " is not between " + std::to_string(least) + " and " +
                          std::to_string(greatest));
    }
    return count;
}

void make_folder(const char* name, const std::string& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) {
        throw usage_error(std::string("variable '") + name + "': cannot make folder '" + folder +
                          "': " + failure.message() + "; name one that can be written to");
    }
}

void require_ranks(std::uint64_t asked, int n_ranks) {
    if (asked != 0 && asked != static_cast<std::uint64_t>(n_ranks)) {
        throw usage_error("the launcher was asked for " + std::to_string(asked) + " ranks, but the program has " +
                          std::to_string(n_ranks) + ": it or lib" + library.name +
                          ".so runs on another MPI library than that of the launcher (" + library_version() + ")");
    }
}

void require_common(const mpi::Communicator& world, std::uint64_t asked, const std::string& settings) {
    mpi::agreed(world.handle(), [&] {
        require_ranks(mpi::is_spawned() ? 0 : asked, world.size());
        return true;
    });
    const std::string of_root = mpi::text_of_root(world.handle(), settings);
    mpi::agreed(world.handle(), [&] {
        if (settings != of_root) {
            throw usage_error("the variables of this rank differ from those of rank 0, which are " + of_root +
                              "; here they are " + settings);
        }
        return true;
    });
}

std::string library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    PMPI_Get_library_version(text, &length);
    const std::string version = text;
    return version.substr(0, version.find('\n'));
}

std::string counted(std::uint64_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

} // namespace ictus::interposition

// These functions come before the MPI library's, which they reach by their profiling names.
using namespace ictus;

extern "C" {

int MPI_Init(int* argc, char*** argv) { return interposition::begin(PMPI_Init(argc, argv)); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return interposition::begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Finalize() {
    interposition::end();
    return PMPI_Finalize();
}

} // extern "C"
