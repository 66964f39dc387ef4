// The state of the skew shim in this process: the C library's own functions, and the skew, if there is one.
#pragma once

#include "shim/skewed_time.hpp"

#include <ctime>
#include <dlfcn.h>

namespace ictus::shim {

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

} // namespace ictus::shim
