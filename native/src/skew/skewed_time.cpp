#include "skew/skewed_time.hpp"

#include <cmath>
#include <csignal>

namespace ictus::skew {
namespace {

constexpr double far_s = 60.0; // a wander that far ahead is not drawn for the sake of a deadline

/// While new numbers are drawn: a handler that reads a clock meanwhile would wait for the draw that it interrupts.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

constexpr double to_s(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }
std::int64_t from_s(double s) { return static_cast<std::int64_t>(std::llround(s * 1e9)); }

} // namespace

std::size_t timeline_of(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM: clock = CLOCK_REALTIME; break;
    case CLOCK_MONOTONIC_COARSE: clock = CLOCK_MONOTONIC; break;
    case CLOCK_BOOTTIME_ALARM: clock = CLOCK_BOOTTIME; break;
    default: break;
    }
    std::size_t i = 0;
    while (i < timelines.size() && timelines[i].clock != clock) {
        ++i;
    }
    return i;
}

std::int64_t SkewedTime::shown(std::size_t timeline, std::int64_t true_ns) const {
    const double t = to_s(true_ns - origins_[timeline]);
    return true_ns + from_s(apply(t) - t); // only the difference is rounded
}

std::int64_t SkewedTime::when_shown(std::size_t timeline, std::int64_t deadline_ns, std::int64_t now_ns) const {
    const std::int64_t ahead = deadline_ns - shown(timeline, now_ns);
    if (ahead <= 0) {
        return now_ns;
    }
    if (to_s(ahead) > far_s) {
        return now_ns + true_duration(ahead);
    }
    const double t = skew_.invert(to_s(deadline_ns - origins_[timeline]));
    return origins_[timeline] + from_s(t) + 1; // not before it
}

std::int64_t SkewedTime::true_duration(std::int64_t shown_ns) const {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(shown_ns) / (1.0 + drift_)));
}

std::int64_t SkewedTime::shown_duration(std::int64_t true_ns) const {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(true_ns) * (1.0 + drift_)));
}

double SkewedTime::apply(double t) const {
    if (skew_.knows(t)) {
        return skew_.apply(t);
    }
    const SignalsBlocked blocked;
    return skew_.apply(t);
}

} // namespace ictus::skew
