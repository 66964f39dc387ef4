#include "profile/program.hpp"

#include "base/error.hpp"
#include "base/for_each.hpp"
#include "clock/clock.hpp"
#include "clock/tsc.hpp"
#include "interface/tracing_clock.hpp"
#include "mpi/agreement.hpp"
#include "mpi/foreign_communicator.hpp"
#include "mpi/imported_functions.hpp"
#include "mpi/preloading.hpp"
#include "profile/handles.hpp"
#include "profile/operators.hpp"
#include "record/control_variables.hpp"
#include "record/file.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <utility>

namespace ictus::profile {
namespace {

constexpr const char* name = "ictus-profile";
constexpr const char* default_folder = "ictus-profile";

/// Never freed: threads may still count while the program ends.
struct Profile {
    Profile(const std::string& path, const ProcessFacts& facts, MPI_Group world)
        : counters(path, facts), handles(counters, world) {}
    Counters counters;
    Handles handles;
    StartedCalls started;
};

/// Of all times. The processor's counter is read inline. `tracing_clock` synchronises it, in a program with
/// MPI_COMM_WORLD. All outlive the program.
Clock* used_clock = nullptr;
TscClock* counter = nullptr;
TracingClock* tracing_clock = nullptr;

std::atomic<Profile*> profile = nullptr;
bool has_begun = false;
std::mutex users_turn;
int n_users = 0; ///< what the program has begun and not ended: MPI_Init and sessions
thread_local bool inside = false;
thread_local const void* outer_site = nullptr;

std::string variable(const char* which, const char* otherwise) {
    const char* const text = std::getenv(which);
    return text == nullptr || *text == '\0' ? otherwise : text;
}

/// The processor's counter where `all_have_one` that keeps its rate.
std::string clock_text(bool all_have_one) {
    return variable("ICTUS_PROFILE_CLOCK", all_have_one ? "tsc" : "monotonic");
}

void use(Clock& clock) {
    used_clock = &clock;
    counter = dynamic_cast<TscClock*>(&clock);
}

/// Collective: the first of the two measurements of the clocks, between which all calls lie.
void start_clock() {
    const int own = has_invariant_counter() ? 1 : 0;
    int all = 0;
    PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    tracing_clock = TracingClock::create(MPI_COMM_WORLD, "", clock_text(all == 1)).release();
    use(tracing_clock->clock());
}

/// Collective: the second. Where it fails, nothing is known of the clocks between.
void settle(Counters& counters) {
    tracing_clock->synchronise();
    counters.settle([](Ticks at) { return tracing_clock->global(at); },
                    [](Ticks at) { return tracing_clock->bound(at); });
}

/// What is known of the process of this group, which is all of the program.
ProcessFacts facts_in(MPI_Group world) {
    ProcessFacts facts;
    PMPI_Group_rank(world, &facts.rank);
    PMPI_Group_size(world, &facts.n_ranks);
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
    int length = 0;
    PMPI_Get_library_version(text, &length);
    const std::string library = text;
    facts.library = library.substr(0, library.find_first_of("\n"));
    facts.ticks_per_second = used_clock->frequency_hz();
    facts.now = now();
    return facts;
}

/// Says what of MPI the program imports and we do not count: "0 calls" alone would hide that.
void note_imports(Counters& counters) noexcept {
    try {
        std::string lines;
        for (const mpi::ImportedFunctions& one : mpi::functions_beside_ours()) {
            lines += one.object;
            char before = '\t';
            for (const std::string& function : one.names) {
                lines += std::exchange(before, ' ') + function;
            }
            lines += '\n';
        }
        counters.set_imports(lines);
    } catch (const std::exception&) { // no memory: the program goes on
    }
}

std::unique_ptr<Profile> open_profile(const ProcessFacts& facts, MPI_Group world) {
    const std::string asked = variable("ICTUS_PROFILE_RANKS", "");
    if (!asked.empty() && asked != std::to_string(facts.n_ranks)) {
        throw usage_error("the launcher was asked for " + asked + " ranks, but the program has " +
                          std::to_string(facts.n_ranks) +
                          ": it or libictus-profile.so runs on another MPI library than that of the launcher (" +
                          facts.library + ")");
    }
    const std::filesystem::path folder = variable("ICTUS_PROFILE", default_folder);
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) {
        throw usage_error("variable 'ICTUS_PROFILE': cannot make folder '" + folder.string() +
                          "': " + failure.message() + "; name one that can be written to");
    }
    auto opened =
        std::make_unique<Profile>(folder / ("rank-" + std::to_string(facts.rank) + ".counters"), facts, world);
    note_imports(opened->counters); // now, for programs that are killed, and again at the end
    return opened;
}

/// What rank 0 has of them, where a file is asked for: it shows which settings are in force in the program itself,
/// which a script in front of it may have changed.
void write_control_variables(int rank) {
    constexpr const char* asked = "ICTUS_PROFILE_CVARS";
    const std::string path = variable(asked, "");
    if (rank == 0 && !path.empty()) {
        record::write_text_file_of(asked, path, record::cvars_json());
    }
}

std::unique_ptr<Profile> open_profile_of_world() {
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    ProcessFacts facts = facts_in(world);
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    facts.one_thread = level != MPI_THREAD_MULTIPLE;
    facts.clock = tracing_clock->description();
    write_control_variables(facts.rank);
    return open_profile(facts, world);
}

#if !ICTUS_HAS_SESSIONS
void close_session() {}
#else
/// Ours, for the group of all processes: the program may free its own in any order. No communicator is made, which
/// would take all processes, and the program may use some.
MPI_Session own_session = MPI_SESSION_NULL;
MPI_Group own_world = MPI_GROUP_NULL;

void close_session() {
    if (own_world != MPI_GROUP_NULL) {
        PMPI_Group_free(&own_world);
    }
    if (own_session != MPI_SESSION_NULL) {
        PMPI_Session_finalize(&own_session);
    }
}

/// Local. Its clock is this process' own.
std::unique_ptr<Profile> open_profile_of_session() {
    const std::string text = clock_text(has_invariant_counter());
    const Bound bound = bind(clock::family(), parse_spec(text));
    use(*clock::registry().make(bound, ClockContext{}).release());
    if (PMPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &own_session) != MPI_SUCCESS ||
        PMPI_Group_from_session_pset(own_session, "mpi://WORLD", &own_world) != MPI_SUCCESS) {
        throw usage_error("this MPI library cannot tell which processes the program has: mpi://WORLD is unknown");
    }
    ProcessFacts facts = facts_in(own_world); // threads may be as many as they like
    facts.clock = to_string(bound.spec());
    write_control_variables(facts.rank);
    return open_profile(facts, own_world);
}
#endif

} // namespace

UncountedScope::UncountedScope() { inside = true; }
UncountedScope::~UncountedScope() { inside = false; }
SiteScope::SiteScope(const void* site) { outer_site = site; }
SiteScope::~SiteScope() { outer_site = nullptr; }

/// Two fenced readings take as long as all else of counting. Without, the processor may read a few nanoseconds before
/// what stands in front has ended, which neither a call's time nor its arrival shows.
Ticks now() noexcept { return counter != nullptr ? counter->ticks(TscClock::glance()) : used_clock->now(); }

bool counts() noexcept { return !inside && profile.load(std::memory_order_acquire) != nullptr; }

namespace {

/// Whether the user of MPI that begins now is the program's first one, with which counting begins.
bool joins() {
    const std::scoped_lock turn(users_turn);
    ++n_users;
    return !std::exchange(has_begun, true);
}

} // namespace

int begin(int code) noexcept {
    if (code != MPI_SUCCESS || inside || !joins()) {
        return code;
    }
    const UncountedScope guard;
    mpi::require_own_library(name);
    if (mpi::is_spawned()) { // the files are those of the world that spawned this one
        return code;
    }
    try {
        start_clock();
        profile = mpi::agreed(MPI_COMM_WORLD, open_profile_of_world).release();
    } catch (const Error& error) {
        mpi::refuse(name, error);
    }
    return code;
}

namespace {

/// The end of counting; null: it was before.
Profile* finished() {
    Profile* const ended = profile.exchange(nullptr);
    if (ended != nullptr) {
        ended->counters.finish(now());
        note_imports(ended->counters); // of all that was loaded since MPI_Init
    }
    return ended;
}

} // namespace

void end() noexcept {
    if (tracing_clock == nullptr) {
        end_session();
        return;
    }
    if (Profile* const ended = finished()) {
        const UncountedScope guard;
        try {
            settle(ended->counters);
        } catch (const Error& error) {
            std::fprintf(stderr, "%s: waiting is not known: %s\n", name, error.what());
        }
    }
}

void end_session() noexcept {
    const std::scoped_lock turn(users_turn);
    if (--n_users == 0 && tracing_clock == nullptr && finished() != nullptr) {
        const UncountedScope guard;
        close_session();
    }
}

#if ICTUS_HAS_SESSIONS
int begin_session(int code, MPI_Session* session) noexcept {
    if (code != MPI_SUCCESS || inside || !joins()) {
        return code;
    }
    const UncountedScope guard;
    mpi::require_own_library(name);
    try {
        profile = open_profile_of_session().release();
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", name, error.what());
        close_session();
        PMPI_Session_finalize(session);
        std::exit(error.exit_code());
    }
    return code;
}

#endif

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
        if (is_completion(call) && own->started.any()) {
            described.completion = std::make_unique<Completion>();
            Completion& completion = *described.completion;
            completion.may_end = own->started.known(facts.requests);
            if (call == CallId::Wait || call == CallId::Waitall) {
                completion.ended = own->started.only(facts.requests);
            }
            if (completion.ended) { // a row of its own for what it waits for
                const std::uint64_t from = key.site;
                key = completion.ended->key;
                key.ended = key.call + 1U;
                key.call = static_cast<std::uint16_t>(call);
                key.site = from;
                described.bytes = completion.ended->bytes;
            }
        }
        described.is_known = true;
        if (call == CallId::Win_free) {
            Handles::forget_windows();
        }
    } catch (const std::exception&) { // no memory: the program goes on, this call is not counted
    }
    return described;
}

void count(const DescribedCall& call, const CallFacts& facts, Ticks began, Ticks ended) noexcept {
    Profile* const own = profile.load(std::memory_order_acquire);
    if (own == nullptr || !call.is_known) {
        return;
    }
    const Sampled sampled = own->counters.count(call.key, call.bytes, began, ended);
    const auto id = static_cast<CallId>(call.key.call);
    try {
        if (is_nonblocking(id) || is_persistent(id)) {
            if (sampled.stream != Arrivals::none) {
                own->started.add(facts.requests[0], {call.key, call.bytes, sampled, is_persistent(id)});
            }
        } else if ((id == CallId::Start || id == CallId::Startall) && own->started.any()) {
            for (int i = 0; i < facts.requests.n; ++i) {
                if (const auto one = own->started.start(facts.requests[i])) {
                    own->counters.arrive(one->sampled, one->number(), began, ended);
                }
            }
        }
    } catch (const std::exception&) { // no memory: what it waits for is not known
    }
    if (call.completion == nullptr) {
        return;
    }
    if (const auto& waited = call.completion->ended) {
        own->counters.end(waited->sampled, waited->number(), sampled.row, began, ended);
    }
    if (!call.completion->may_end.empty()) {
        own->started.forget_ended(facts.requests, call.completion->may_end);
    }
}

void forget(MPI_Request request) noexcept {
    Profile* const own = profile.load(std::memory_order_acquire);
    if (own != nullptr && own->started.any()) {
        own->started.forget(request);
    }
}

namespace {

/// An argument as it is.
template <class Argument>
using AsIs = Argument;

/// The call by the library, counted. `Form` is that of its arguments: with large counts or as they are.
template <template <class> class Form, CallId call, auto library, class... Arguments>
[[gnu::always_inline]] inline int counted(const void* site, typename Form<Arguments>::C... values) {
    if (!counts()) {
        return library(values...);
    }
    const UncountedScope guard;
    CallFacts facts = facts_of_kind<call, Arguments...>();
    (Form<Arguments>::note(facts, values), ...);
    const DescribedCall described = describe(call, facts, site);
    const Ticks began = now();
    const int code = library(values...);
    count(described, facts, began, now());
    return code;
}

} // namespace

} // namespace ictus::profile

// libictus-profile.so: the calls of an unmodified program are counted. These functions come before the library's, which
// they reach by their profiling names (profile.md).
using namespace ictus;

#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int MPI_##name(ICTUS_PARAMETERS(__VA_ARGS__)) {                                                                    \
        return profile::counted<profile::AsIs, profile::CallId::name, PMPI_##name, ICTUS_KINDS(__VA_ARGS__)>(          \
            __builtin_return_address(0), ICTUS_NAMES(__VA_ARGS__));                                                    \
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

#if ICTUS_HAS_SESSIONS
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
    return profile::begin_session(PMPI_Session_init(info, handler, session), session);
}

int MPI_Session_finalize(MPI_Session* session) {
    profile::end_session();
    return PMPI_Session_finalize(session);
}
#endif

int MPI_Request_free(MPI_Request* request) {
    profile::forget(*request);
    return PMPI_Request_free(request);
}

int MPI_Abort(MPI_Comm comm, int code) {
    profile::abandon();
    return PMPI_Abort(comm, code);
}

ICTUS_ALL_CALLS

#undef ICTUS_CALL
#define ICTUS_CALL(name, lower, UPPER, ...)                                                                            \
    int MPI_##name##_c(ICTUS_LARGE_PARAMETERS(__VA_ARGS__)) {                                                          \
        return profile::counted<mpi::argument::LargeOf, profile::CallId::name, PMPI_##name##_c,                        \
                                ICTUS_KINDS(__VA_ARGS__)>(__builtin_return_address(0), ICTUS_NAMES(__VA_ARGS__));      \
    }

ICTUS_ALL_LARGE_CALLS

} // extern "C"
