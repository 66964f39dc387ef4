// The arithmetic of the skew library: what a clock of the system shows to this process, and back. Any number of
// threads, signal handlers too.
#pragma once

#include "clockmath/skew.hpp"

#include <array>
#include <cstdint>
#include <ctime>

namespace ictus::skew {

inline constexpr std::int64_t ns_a_second = 1'000'000'000;

[[nodiscard]] constexpr std::int64_t to_ns(const std::timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * ns_a_second + time.tv_nsec;
}
[[nodiscard]] constexpr std::timespec to_timespec(std::int64_t ns) {
    const std::int64_t rest = ns % ns_a_second;
    const std::int64_t whole = ns / ns_a_second - (rest < 0 ? 1 : 0);
    return {static_cast<std::time_t>(whole), static_cast<long>(rest < 0 ? rest + ns_a_second : rest)};
}

/// A time line of the kernel that is skewed. All of a process have the same skew, each from where it stood at first.
struct Timeline {
    const char* name;
    clockid_t clock;
};
inline constexpr std::array timelines = {Timeline{"realtime", CLOCK_REALTIME}, Timeline{"monotonic", CLOCK_MONOTONIC},
                                         Timeline{"monotonic_raw", CLOCK_MONOTONIC_RAW},
                                         Timeline{"boottime", CLOCK_BOOTTIME}, Timeline{"tai", CLOCK_TAI}};
inline constexpr std::size_t no_timeline = timelines.size();

/// The coarse and alarm clocks are on the time line of the fine ones; clocks of processor time are on none.
[[nodiscard]] std::size_t timeline_of(clockid_t clock);

class SkewedTime {
public:
    using Origins = std::array<std::int64_t, timelines.size()>; ///< true readings, nanoseconds

    SkewedTime(double drift, Skew skew, const Origins& origins)
        : drift_(drift), skew_(std::move(skew)), origins_(origins) {}

    /// What is shown when the clock stands at `true_ns`.
    [[nodiscard]] std::int64_t shown(std::size_t timeline, std::int64_t true_ns) const;
    /// When the clock will show `deadline_ns`, if it stands at `now_ns`; `now_ns` if it has already.
    [[nodiscard]] std::int64_t when_shown(std::size_t timeline, std::int64_t deadline_ns, std::int64_t now_ns) const;
    /// Durations in nanoseconds; what wanders is left out.
    [[nodiscard]] std::int64_t true_duration(std::int64_t shown_ns) const;
    [[nodiscard]] std::int64_t shown_duration(std::int64_t true_ns) const;

private:
    [[nodiscard]] double apply(double t) const;

    double drift_;
    Skew skew_;
    Origins origins_;
};

} // namespace ictus::skew
