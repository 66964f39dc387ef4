// libictus-profile.so: the calls of an unmodified program are counted, from MPI_Init or the first session to the end of
// MPI (profile.md).
#include "profile/program.hpp"

#include "base/error.hpp"
#include "clock/clock.hpp"
#include "clock/tsc.hpp"
#include "interface/tracing_clock.hpp"
#include "interposition/imported_functions.hpp"
#include "interposition/preloading.hpp"
#include "interposition/program.hpp"
#include "mpi/agreement.hpp"
#include "record/control_variables.hpp"
#include "record/file.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace ictus::profile {

std::atomic<Profile*> current = nullptr;

namespace {

/// The same, also after the end of counting.
std::atomic<Profile*> opened = nullptr;

using interposition::variable;

/// Of all times. The processor's counter is read inline. `tracing_clock` synchronises it, in a program with
/// MPI_COMM_WORLD. All outlive the program.
Clock* used_clock = nullptr;
TscClock* counter = nullptr;
TracingClock* tracing_clock = nullptr;

bool has_begun = false;
std::mutex users_turn;
int n_users = 0; ///< what the program has begun and not ended: MPI_Init and sessions

/// The processor's counter where `all_have_one` that keeps its rate.
std::string clock_text(bool all_have_one) {
    return std::string(variable("ICTUS_PROFILE_CLOCK", all_have_one ? "tsc" : "monotonic"));
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
    facts.library = interposition::library_version();
    facts.ticks_per_second = used_clock->frequency_hz();
    facts.now = now();
    return facts;
}

/// Says what of MPI the program imports and we do not count: "0 calls" alone would hide that.
void note_imports(Counters& counters) noexcept {
    try {
        std::string lines;
        for (const interposition::ImportedFunctions& one : interposition::functions_beside_ours()) {
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
    interposition::require_ranks(interposition::count_in("ICTUS_PROFILE_RANKS", "0", 0, 1U << 30), facts.n_ranks);
    const std::string folder(variable("ICTUS_PROFILE", "ictus-profile"));
    interposition::make_folder("ICTUS_PROFILE", folder);
    auto made = std::make_unique<Profile>(folder + "/rank-" + std::to_string(facts.rank) + ".counters", facts, world);
    note_imports(made->counters); // now, for programs that are killed, and again at the end
    return made;
}

void count_in(std::unique_ptr<Profile> made) { current = opened = made.release(); }

/// What rank 0 has of them, where a file is asked for: it shows which settings are in force in the program itself,
/// which a script in front of it may have changed.
void write_control_variables(int rank) {
    constexpr const char* asked = "ICTUS_PROFILE_CVARS";
    const std::string path(variable(asked));
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

/// Whether the user of MPI that begins now is the program's first one, with which counting begins.
bool joins() {
    const std::scoped_lock turn(users_turn);
    ++n_users;
    return !std::exchange(has_begun, true);
}

void begin() {
    if (!joins() || mpi::is_spawned()) { // the files are those of the world that spawned this one
        return;
    }
    start_clock();
    count_in(mpi::agreed(MPI_COMM_WORLD, open_profile_of_world));
}

/// The end of counting; null: it was before.
Profile* finished() {
    Profile* const ended = current.exchange(nullptr);
    if (ended != nullptr) {
        ended->counters.finish(now());
        note_imports(ended->counters); // of all that was loaded since MPI_Init
    }
    return ended;
}

/// What a session began, the last one or MPI_Finalize ends.
void end_session() {
    const std::scoped_lock turn(users_turn);
    if (--n_users == 0 && tracing_clock == nullptr && finished() != nullptr) {
        const interposition::OwnCallsScope scope;
        close_session();
    }
}

void end() {
    if (tracing_clock == nullptr) {
        end_session();
    } else if (Profile* const ended = finished()) {
        if (n_users > 1) { // sessions that go on
            ended->counters.note_late_session();
        }
        try {
            settle(ended->counters);
        } catch (const Error& error) {
            interposition::say(std::string("waiting is not known: ") + error.what());
        }
    }
}

#if ICTUS_HAS_SESSIONS
/// Where no MPI_Init was before it, counting begins here. What it needs is local, for not all processes need to come.
void begin_session(MPI_Session* session) {
    if (!joins()) {
        if (Profile* const own = opened; own != nullptr && current == nullptr) {
            own->counters.note_late_session();
        }
        return;
    }
    const interposition::OwnCallsScope scope;
    interposition::require_own_library(interposition::library.name);
    try {
        count_in(open_profile_of_session());
    } catch (const Error& error) {
        interposition::say(error.what());
        close_session();
        PMPI_Session_finalize(session);
        std::exit(error.exit_code());
    }
}
#endif

/// A world of its own, whose files would be those of this one.
int note_spawned(int code, int root, MPI_Comm comm) noexcept {
    if (Profile* const own = opened; own != nullptr && code == MPI_SUCCESS) {
        int rank = MPI_PROC_NULL;
        PMPI_Comm_rank(comm, &rank);
        if (rank == root) {
            own->counters.note_spawned_world();
        }
    }
    return code;
}

} // namespace

/// Two fenced readings take as long as all else of counting. Without, the processor may read a few nanoseconds before
/// what stands in front has ended, which neither a call's time nor its arrival shows.
Ticks now() noexcept { return counter != nullptr ? counter->ticks(TscClock::glance()) : used_clock->now(); }

} // namespace ictus::profile

using namespace ictus;

const interposition::Library interposition::library = {"ictus-profile", profile::begin, profile::end};

extern "C" {

#if ICTUS_HAS_SESSIONS
int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
    const int code = PMPI_Session_init(info, handler, session);
    if (code == MPI_SUCCESS && !interposition::inside) {
        profile::begin_session(session);
    }
    return code;
}

int MPI_Session_finalize(MPI_Session* session) {
    profile::end_session();
    return PMPI_Session_finalize(session);
}
#endif

int MPI_Comm_spawn(const char* command, char** arguments, int n, MPI_Info info, int root, MPI_Comm comm,
                   MPI_Comm* spawned, int* codes) {
    const int code = PMPI_Comm_spawn(command, arguments, n, info, root, comm, spawned, codes);
    return profile::note_spawned(code, root, comm);
}

int MPI_Comm_spawn_multiple(int n, char** commands, char*** arguments, const int* counts, const MPI_Info* infos,
                            int root, MPI_Comm comm, MPI_Comm* spawned, int* codes) {
    const int code = PMPI_Comm_spawn_multiple(n, commands, arguments, counts, infos, root, comm, spawned, codes);
    return profile::note_spawned(code, root, comm);
}

/// MPICH calls MPI_Finalize in it: the program did not.
int MPI_Abort(MPI_Comm comm, int code) {
    profile::current = nullptr;
    return PMPI_Abort(comm, code);
}

} // extern "C"
