// The begin and end of counting, and one counted call.
#pragma once

#include "mpi/argument.hpp"
#include "profile/calls.hpp"
#include "profile/counters.hpp"
#include "profile/started.hpp"

#include <memory>
#include <type_traits>

namespace ictus::profile {

using mpi::CallFacts;

/// After MPI_Init, with its code.
int begin(int code) noexcept;
/// Before MPI_Finalize.
void end() noexcept;
#if ICTUS_HAS_SESSIONS
/// After MPI_Session_init, with its code: where no MPI_Init was before it, counting begins here. What it needs is
/// local, for not all processes need to come.
int begin_session(int code, MPI_Session* session) noexcept;
#endif
/// Before MPI_Session_finalize: what a session began, the last one or MPI_Finalize ends.
void end_session() noexcept;
/// Before MPI_Abort, in which MPICH calls MPI_Finalize: the program did not.
void abandon() noexcept;

/// Whether calls of this thread count now: not before MPI_Init, not after MPI_Finalize, not inside a call that counts.
[[nodiscard]] bool counts() noexcept;

/// While it lives, calls of this thread do not count: the library's own, and our own.
class UncountedScope {
public:
    UncountedScope();
    ~UncountedScope();
    UncountedScope(const UncountedScope&) = delete;
    UncountedScope& operator=(const UncountedScope&) = delete;
};

/// While it lives, calls of this thread count for this site: of a Fortran function that calls the C function.
class SiteScope {
public:
    explicit SiteScope(const void* site);
    ~SiteScope();
    SiteScope(const SiteScope&) = delete;
    SiteScope& operator=(const SiteScope&) = delete;
};

/// Of a call that may end started ones.
struct Completion {
    std::optional<StartedCall> ended;                 ///< what a wait waits for
    std::vector<std::pair<int, MPI_Request>> may_end; ///< started calls among its requests
};

/// What a call counts as.
struct DescribedCall {
    CallKey key;
    std::uint64_t bytes = 0;
    bool is_known = false;
    std::unique_ptr<Completion> completion; ///< null in most programs, which pay nothing for it
};

/// Before the call, which may free what it names. `site` is where it was called from.
[[nodiscard]] DescribedCall describe(CallId call, const CallFacts& facts, const void* site) noexcept;

/// The clock of all times; only while calls count.
[[nodiscard]] Ticks now() noexcept;

/// A call that has ended.
void count(const DescribedCall& call, const CallFacts& facts, Ticks began, Ticks ended) noexcept;

/// Before MPI_Request_free.
void forget(MPI_Request request) noexcept;

/// What the arguments' kinds alone say.
template <CallId call, class... Arguments>
[[nodiscard]] constexpr CallFacts facts_of_kind() {
    using namespace mpi::argument;
    CallFacts facts;
    facts.has_receive_side =
        ((std::is_same_v<Arguments, ReceiveType> || std::is_same_v<Arguments, ReceiveTypes>) || ...);
    facts.is_scatter = is_scatter(call);
    const bool is_of_one_unit = (std::is_same_v<Arguments, Type> || ...) && !(std::is_same_v<Arguments, Count> || ...);
    facts.send_count = is_of_one_unit ? 1 : 0;
    return facts;
}

} // namespace ictus::profile
