// What the environment asks of the skew library: ICTUS_SKEW, ICTUS_SKEW_LOG, and the rank that the launcher gave us.
#pragma once

#include "clockmath/skew.hpp"
#include "skew/skewed_time.hpp"

#include <ctime>
#include <dlfcn.h>
#include <optional>
#include <string>

namespace ictus::skew {

struct SkewSettings {
    std::uint64_t rank = 0;
    std::string scope;
    std::uint64_t owner = 0; ///< whose draw it is: the rank, or a hash of the host's name
    SkewDraw draw;
    std::string log; ///< empty: none
};

/// Nothing where nothing is to be skewed: ICTUS_SKEW is not set, or this process (a launcher, a shell) is no rank.
/// Throws a usage Error that names the variable and what is allowed.
[[nodiscard]] std::optional<SkewSettings> read_settings();

// The state of the skew library in this process: the C library's own functions, and the skew, if there is one.

/// The function of this name that the program would have had without us. `version` where the plain name leads to one
/// that was kept for old programs only.
template <class Function>
[[nodiscard]] Function* next_function(Function*, const char* name, const char* version = nullptr) {
    void* const versioned = version == nullptr ? nullptr : dlvsym(RTLD_NEXT, name, version);
    return reinterpret_cast<Function*>(versioned != nullptr ? versioned : dlsym(RTLD_NEXT, name));
}

/// Null where times are true: without ICTUS_SKEW, in a process that is no rank, and while we are being set up.
[[nodiscard]] const SkewedTime* skewed_time() noexcept;

/// The kernel's time, by the C library's own clock_gettime.
int true_gettime(clockid_t clock, std::timespec* time) noexcept;
/// A clock that exists.
[[nodiscard]] std::int64_t true_ns(clockid_t clock) noexcept;

/// A deadline told in the time that we show, as the kernel must hear it; `room` holds it where it is another.
[[nodiscard]] const std::timespec* true_deadline(clockid_t clock, const std::timespec* deadline,
                                                 std::timespec& room) noexcept;

/// Which of the two clocks that waits use a deadline is on, where the call does not say: the one whose time is nearer.
[[nodiscard]] clockid_t likely_clock(const std::timespec* deadline) noexcept;

} // namespace ictus::skew
