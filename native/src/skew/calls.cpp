// A test instrument: a library to preload that skews the clocks of a program that we did not write, by a known offset,
// drift and wander for each rank, so that its clock synchronisation can be judged (skew-shim.md):
//     ICTUS_SKEW      offset=1s,drift=20ppm,wander=0,seed=1,scope=rank,rank=auto: the draws of clock `skewed`; without
//                     it nothing is skewed
//     ICTUS_SKEW_LOG  a file to which each skewed process appends its true skew, one JSON object a line
// Time that is not read through the C library (the processor's counter, system calls of the program's own) stays true.
#include "skew/settings.hpp"

#include <cerrno>
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <unistd.h>

using namespace ictus::skew;

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

SHOWN std::time_t time(std::time_t* seconds) noexcept {
    std::timespec now{};
    shown_time(CLOCK_REALTIME, &now);
    if (seconds != nullptr) {
        *seconds = now.tv_sec;
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

// Waits of threads with a deadline: told in the time that the program is shown, passed on in the kernel's. Without this
// a program that waits for "one second from now" would wait for its offset too.

SHOWN int sem_timedwait(sem_t* semaphore, const std::timespec* deadline) {
    static auto* const real = next_function(&::sem_timedwait, "sem_timedwait");
    std::timespec room;
    return real(semaphore, true_deadline(CLOCK_REALTIME, deadline, room));
}

SHOWN int sem_clockwait(sem_t* semaphore, clockid_t clock, const std::timespec* deadline) {
    static auto* const real = next_function(&::sem_clockwait, "sem_clockwait");
    std::timespec room;
    return real(semaphore, clock, true_deadline(clock, deadline, room));
}

/// Which clock a condition variable waits on is its attribute, which cannot be asked for.
SHOWN int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const std::timespec* deadline) {
    static auto* const real = next_function(&::pthread_cond_timedwait, "pthread_cond_timedwait", "GLIBC_2.3.2");
    std::timespec room;
    return real(condition, mutex, true_deadline(likely_clock(deadline), deadline, room));
}

SHOWN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                 const std::timespec* deadline) {
    static auto* const real = next_function(&::pthread_cond_clockwait, "pthread_cond_clockwait");
    std::timespec room;
    return real(condition, mutex, clock, true_deadline(clock, deadline, room));
}

SHOWN int pthread_mutex_timedlock(pthread_mutex_t* mutex, const std::timespec* deadline) noexcept {
    static auto* const real = next_function(&::pthread_mutex_timedlock, "pthread_mutex_timedlock");
    std::timespec room;
    return real(mutex, true_deadline(CLOCK_REALTIME, deadline, room));
}

SHOWN int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const std::timespec* deadline) noexcept {
    static auto* const real = next_function(&::pthread_mutex_clocklock, "pthread_mutex_clocklock");
    std::timespec room;
    return real(mutex, clock, true_deadline(clock, deadline, room));
}

SHOWN int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const std::timespec* deadline) noexcept {
    static auto* const real = next_function(&::pthread_rwlock_timedrdlock, "pthread_rwlock_timedrdlock");
    std::timespec room;
    return real(lock, true_deadline(CLOCK_REALTIME, deadline, room));
}

SHOWN int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const std::timespec* deadline) noexcept {
    static auto* const real = next_function(&::pthread_rwlock_timedwrlock, "pthread_rwlock_timedwrlock");
    std::timespec room;
    return real(lock, true_deadline(CLOCK_REALTIME, deadline, room));
}

SHOWN int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const std::timespec* deadline) noexcept {
    static auto* const real = next_function(&::pthread_rwlock_clockrdlock, "pthread_rwlock_clockrdlock");
    std::timespec room;
    return real(lock, clock, true_deadline(clock, deadline, room));
}

SHOWN int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const std::timespec* deadline) noexcept {
    static auto* const real = next_function(&::pthread_rwlock_clockwrlock, "pthread_rwlock_clockwrlock");
    std::timespec room;
    return real(lock, clock, true_deadline(clock, deadline, room));
}
