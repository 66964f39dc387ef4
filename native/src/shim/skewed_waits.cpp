// Waits of threads with a deadline: told in the time that the program is shown, passed on in the kernel's. Without this
// a program that waits for "one second from now" would wait for its offset too.
#include "shim/skew_shim.hpp"

#include <pthread.h>
#include <semaphore.h>

using namespace ictus::shim;

#define SHOWN extern "C" __attribute__((visibility("default")))

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
