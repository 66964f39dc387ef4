#include "profile/program.hpp"

#include "base/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/preloading.hpp"
#include "profile/for_each.hpp"
#include "profile/handles.hpp"
#include "profile/operators.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace ictus::profile {
namespace {

constexpr const char* name = "ictus-profile";
constexpr const char* default_folder = "ictus-profile";

/// Never freed: threads may still count while the program ends.
struct Profile {
    Profile(const std::string& path, const ProcessFacts& facts) : counters(path, facts), handles(counters) {}
    Counters counters;
    Handles handles;
};

std::atomic<Profile*> profile = nullptr;
bool has_begun = false;
thread_local bool inside = false;
thread_local const void* outer_site = nullptr;

std::string variable(const char* which, const char* otherwise) {
    const char* const text = std::getenv(which);
    return text == nullptr || *text == '\0' ? otherwise : text;
}

std::unique_ptr<Profile> open_profile() {
    ProcessFacts facts;
    PMPI_Comm_rank(MPI_COMM_WORLD, &facts.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &facts.n_ranks);
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    PMPI_Get_library_version(text, &length);
    const std::string library = text;
    facts.library = library.substr(0, library.find_first_of("\n"));
    const std::string asked = variable("ICTUS_PROFILE_RANKS", "");
    if (!asked.empty() && asked != std::to_string(facts.n_ranks)) {
        throw usage_error("the launcher was asked for " + asked + " ranks, but MPI_COMM_WORLD has " +
                          std::to_string(facts.n_ranks) +
                          ": the program or libictus-profile.so runs on another MPI library than the launcher's (" +
                          facts.library + ")");
    }
    const std::filesystem::path folder = variable("ICTUS_PROFILE", default_folder);
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) {
        throw usage_error("variable 'ICTUS_PROFILE': cannot make folder '" + folder.string() +
                          "': " + failure.message() + "; name one that can be written to");
    }
    return std::make_unique<Profile>(folder / ("rank-" + std::to_string(facts.rank) + ".counters"), facts);
}

} // namespace

UncountedScope::UncountedScope() { inside = true; }
UncountedScope::~UncountedScope() { inside = false; }
SiteScope::SiteScope(const void* site) { outer_site = site; }
SiteScope::~SiteScope() { outer_site = nullptr; }

bool counts() noexcept { return !inside && profile.load(std::memory_order_acquire) != nullptr; }

int begin(int code) noexcept {
    if (code != MPI_SUCCESS || inside || has_begun) {
        return code;
    }
    const UncountedScope guard;
    has_begun = true;
    mpi::require_own_library(name);
    if (mpi::is_spawned()) { // the files are those of the world that spawned this one
        return code;
    }
    try {
        profile = mpi::agreed(MPI_COMM_WORLD, open_profile).release();
    } catch (const Error& error) {
        mpi::refuse(name, error);
    }
    return code;
}

void end() noexcept {
    if (Profile* const ended = profile.exchange(nullptr)) {
        ended->counters.finish();
    }
}

void abandon() noexcept { profile = nullptr; }

DescribedCall describe(CallId call, const CallFacts& facts, const void* site) noexcept {
    DescribedCall described;
    Profile* const own = profile.load(std::memory_order_acquire);
    if (own == nullptr) {
        return described;
    }
    try {
        const KnownComm comm = own->handles.comm(facts.comm);
        const Volume volume = volume_of(facts, comm, own->handles);
        CallKey& key = described.key;
        key.call = static_cast<std::uint16_t>(call);
        key.op = number_of(facts.op);
        key.in_place = facts.send == MPI_IN_PLACE || facts.receive == MPI_IN_PLACE ? 1 : 0;
        key.communicator = facts.window == MPI_WIN_NULL ? comm.index : own->handles.window(facts.window);
        key.type = volume.type;
        key.root = facts.root == CallFacts::no_root ? -1 : facts.root;
        key.size_class = size_class_of(volume.bytes);
        key.site = reinterpret_cast<std::uint64_t>(outer_site != nullptr ? outer_site : site);
        described.bytes = volume.bytes;
        described.is_known = true;
        if (call == CallId::Win_free) {
            Handles::forget_windows();
        }
    } catch (const std::exception&) { // no memory: the program goes on, this call is not counted
    }
    return described;
}

void count(const DescribedCall& call, std::uint64_t began_ns, std::uint64_t ended_ns) noexcept {
    Profile* const own = profile.load(std::memory_order_acquire);
    if (own != nullptr && call.is_known) {
        own->counters.count(call.key, call.bytes, began_ns, ended_ns);
    }
}

namespace {

/// The call by the library, counted.
template <CallId call, auto library, class... Arguments>
[[gnu::always_inline]] inline int counted(const void* site, typename Arguments::C... values) {
    if (!counts()) {
        return library(values...);
    }
    const UncountedScope guard;
    CallFacts facts = facts_of_kind<call, Arguments...>();
    (Arguments::note(facts, values), ...);
    const DescribedCall described = describe(call, facts, site);
    const std::uint64_t began = Counters::now_ns();
    const int code = library(values...);
    count(described, began, Counters::now_ns());
    return code;
}

} // namespace

} // namespace ictus::profile

// libictus-profile.so: the calls of an unmodified program are counted. These functions come before the library's, which
// they reach by their profiling names (profile.md).
using namespace ictus;

#define ICTUS_PARAMETER(one) profile::argument::one::C one
#define ICTUS_NAME(one) one
#define ICTUS_TYPE(one) profile::argument::one
#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int MPI_##name(ICTUS_FOR_EACH(ICTUS_PARAMETER, __VA_ARGS__)) {                                                     \
        return profile::counted<profile::CallId::name, PMPI_##name, ICTUS_FOR_EACH(ICTUS_TYPE, __VA_ARGS__)>(          \
            __builtin_return_address(0), ICTUS_FOR_EACH(ICTUS_NAME, __VA_ARGS__));                                     \
    }

extern "C" {

int MPI_Init(int* argc, char*** argv) { return profile::begin(PMPI_Init(argc, argv)); }

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return profile::begin(PMPI_Init_thread(argc, argv, required, provided));
}

int MPI_Finalize() {
    profile::end();
    return PMPI_Finalize();
}

int MPI_Abort(MPI_Comm comm, int code) {
    profile::abandon();
    return PMPI_Abort(comm, code);
}

ICTUS_ALL_CALLS

} // extern "C"
