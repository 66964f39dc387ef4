// The begin and end of counting, and one counted call.
#pragma once

#include "profile/argument.hpp"
#include "profile/calls.hpp"
#include "profile/counters.hpp"

#include <type_traits>

namespace ictus::profile {

/// After MPI_Init, with its code.
int begin(int code) noexcept;
/// Before MPI_Finalize.
void end() noexcept;
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

/// What a call counts as.
struct DescribedCall {
    CallKey key;
    std::uint64_t bytes = 0;
    bool is_known = false;
};

/// Before the call, which may free what it names. `site` is where it was called from.
[[nodiscard]] DescribedCall describe(CallId call, const CallFacts& facts, const void* site) noexcept;

/// A call that has ended.
void count(const DescribedCall& call, std::uint64_t began_ns, std::uint64_t ended_ns) noexcept;

/// What the arguments' kinds alone say.
template <CallId call, class... Arguments>
[[nodiscard]] constexpr CallFacts facts_of_kind() {
    using namespace argument;
    CallFacts facts;
    facts.has_receive_side =
        ((std::is_same_v<Arguments, ReceiveType> || std::is_same_v<Arguments, ReceiveTypes>) || ...);
    facts.is_scatter = is_scatter(call);
    const bool is_of_one_unit = (std::is_same_v<Arguments, Type> || ...) && !(std::is_same_v<Arguments, Count> || ...);
    facts.send_count = is_of_one_unit ? 1 : 0;
    return facts;
}

} // namespace ictus::profile
