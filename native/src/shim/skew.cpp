// A test instrument: a library to preload that skews the clocks of a program that we did not write, by a known offset,
// drift and wander for each rank, so that its clock synchronisation can be judged (docs/skew-shim.md):
//     ICTUS_SKEW      offset=1s,drift=20ppm,wander=0,seed=1,scope=rank,rank=auto: the draws of clock `skewed`; without
//                     it nothing is skewed
//     ICTUS_SKEW_LOG  a file to which each skewed process appends its true skew, one JSON object a line
// Readings and sleeps are here, waits with a deadline in skewed_waits. Time that is not read through the C library (the
// processor's counter, system calls of the program's own) stays true.
#include "shim/skew_shim.hpp"

#include <cerrno>
#include <sys/time.h>
#include <unistd.h>

using namespace ictus::shim;

namespace {

/// What is shown now; the error of the C library's own function where the clock does not exist.
int shown_time(clockid_t clock, std::timespec* time) noexcept {
    const int code = true_gettime(clock, time);
    const SkewedTime* const skewed = skewed_time();
    const std::size_t timeline = timeline_of(clock);
    if (code == 0 && skewed != nullptr && timeline != no_timeline) {
        *time = to_timespec(skewed->shown(timeline, to_ns(*time)));
    }
    return code;
}

/// Sleeps for as long as the shown time takes to grow by `span`; returns an error number. What remains after a signal
/// is told in shown time too.
int sleep_shown(clockid_t clock, const std::timespec* span, std::timespec* remaining) {
    static auto* const real = next_function(&::clock_nanosleep, "clock_nanosleep");
    const SkewedTime* const skewed = skewed_time();
    if (skewed == nullptr || timeline_of(clock) == no_timeline || span == nullptr || span->tv_nsec < 0 ||
        span->tv_nsec >= ns_a_second || span->tv_sec < 0 || span->tv_sec > ns_a_second) {
        return real(clock, 0, span, remaining);
    }
    const std::timespec truly = to_timespec(skewed->true_duration(to_ns(*span)));
    const int code = real(clock, 0, &truly, remaining);
    if (code == EINTR && remaining != nullptr) {
        *remaining = to_timespec(skewed->shown_duration(to_ns(*remaining)));
    }
    return code;
}

} // namespace

#define SHOWN extern "C" __attribute__((visibility("default")))

SHOWN int clock_gettime(clockid_t clock, std::timespec* time) noexcept { return shown_time(clock, time); }

SHOWN int gettimeofday(timeval* time, void* zone) noexcept {
    if (zone != nullptr) { // nobody has kept zones there for decades
        *static_cast<struct timezone*>(zone) = {};
    }
    std::timespec now{};
    shown_time(CLOCK_REALTIME, &now);
    *time = {now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

SHOWN std::time_t time(std::time_t* place) noexcept {
    std::timespec now{};
    shown_time(CLOCK_REALTIME, &now);
    if (place != nullptr) {
        *place = now.tv_sec;
    }
    return now.tv_sec;
}

SHOWN int timespec_get(std::timespec* time, int base) noexcept {
    return base == TIME_UTC && shown_time(CLOCK_REALTIME, time) == 0 ? base : 0;
}

SHOWN int clock_nanosleep(clockid_t clock, int flags, const std::timespec* span, std::timespec* remaining) {
    static auto* const real = next_function(&::clock_nanosleep, "clock_nanosleep");
    if ((flags & TIMER_ABSTIME) == 0) {
        return sleep_shown(clock, span, remaining);
    }
    std::timespec room;
    return real(clock, flags, true_deadline(clock, span, room), remaining);
}

SHOWN int nanosleep(const std::timespec* span, std::timespec* remaining) {
    const int code = sleep_shown(CLOCK_REALTIME, span, remaining);
    errno = code == 0 ? errno : code;
    return code == 0 ? 0 : -1;
}

SHOWN int usleep(useconds_t microseconds) {
    const std::timespec span{static_cast<std::time_t>(microseconds / 1'000'000),
                             static_cast<long>(microseconds % 1'000'000) * 1000};
    return nanosleep(&span, nullptr);
}

SHOWN unsigned sleep(unsigned seconds) {
    const std::timespec span{static_cast<std::time_t>(seconds), 0};
    std::timespec remaining{};
    return nanosleep(&span, &remaining) == 0 ? 0U : static_cast<unsigned>(remaining.tv_sec + (remaining.tv_nsec > 0));
}
