// Time has a type. Arithmetic between a clock's ticks, a rank's own time, its reference's and the global time does not
// compile: a benchmark never notices that it mixes two clocks. Only a model (clockmath/clock_model) converts.
#pragma once

#include <compare>
#include <cstdint>

namespace ictus {

/// A reading of one rank's clock, in that clock's units, since its epoch.
struct Ticks {
    std::int64_t count = 0;
    friend constexpr auto operator<=>(const Ticks&, const Ticks&) = default;
    friend constexpr std::int64_t operator-(Ticks a, Ticks b) { return a.count - b.count; }
};

/// The clocks whose times a rank handles: its own, that of the rank it learns from, and the root's.
enum class TimeScale { local, reference, global };

/// Seconds since the epoch of one of these clocks. After the epoch is subtracted a double resolves 0.2 ps even after
/// half an hour. Only instants of one clock have a duration between them, which is a plain number of seconds.
template <TimeScale scale>
struct Instant {
    double s = 0.0;
    constexpr Instant() = default;
    constexpr explicit Instant(double seconds) : s(seconds) {}
    friend constexpr auto operator<=>(const Instant&, const Instant&) = default;
    friend constexpr double operator-(Instant a, Instant b) { return a.s - b.s; }
    friend constexpr Instant operator+(Instant a, double seconds) { return Instant(a.s + seconds); }
    friend constexpr Instant operator-(Instant a, double seconds) { return Instant(a.s - seconds); }
};

/// Of this rank's clock, since its epoch (the ranks of a host share one).
using LocalTime = Instant<TimeScale::local>;
/// Of the rank that a client learns from: what that rank calls its local time.
using ReferenceTime = Instant<TimeScale::reference>;
/// Of rank 0: the same instant has the same value on every rank, up to the clock error.
using GlobalTime = Instant<TimeScale::global>;

/// How far a rank's own clock is ahead of its reference's, seconds. Two offsets differ by a plain number of seconds.
struct ClockOffset {
    double s = 0.0;
    constexpr ClockOffset() = default;
    constexpr explicit ClockOffset(double seconds) : s(seconds) {}
    friend constexpr auto operator<=>(const ClockOffset&, const ClockOffset&) = default;
    friend constexpr double operator-(ClockOffset a, ClockOffset b) { return a.s - b.s; }
    friend constexpr ClockOffset operator+(ClockOffset a, double seconds) { return ClockOffset(a.s + seconds); }
    friend constexpr ClockOffset operator-(ClockOffset a, double seconds) { return ClockOffset(a.s - seconds); }
};

[[nodiscard]] constexpr ClockOffset operator-(LocalTime own, ReferenceTime reference) {
    return ClockOffset(own.s - reference.s);
}
[[nodiscard]] constexpr ReferenceTime operator-(LocalTime own, ClockOffset offset) {
    return ReferenceTime(own.s - offset.s);
}

/// Half way between two instants of one clock, or between two offsets.
template <class Value>
[[nodiscard]] constexpr Value midpoint(Value a, Value b) {
    return Value((a.s + b.s) / 2);
}

// One instant of one clock has two names: what a reference calls its local time is reference time to its client.

[[nodiscard]] constexpr ReferenceTime as_reference(LocalTime of_reference) { return ReferenceTime(of_reference.s); }
[[nodiscard]] constexpr LocalTime as_own(ReferenceTime of_reference) { return LocalTime(of_reference.s); }

// Why a sample is not valid. Each rank knows its own flags; they are combined over the ranks after the loop.

using SampleFlags = std::uint16_t;

inline constexpr SampleFlags late_flag = 1;     ///< reached the start after the deadline
inline constexpr SampleFlags overrun_flag = 2;  ///< ended after its window
inline constexpr SampleFlags rejected_flag = 4; ///< its whole batch was taken again, with a longer window

/// Never recorded, for there is no sample: the process synchronisation has ended the case.
inline constexpr SampleFlags over_flag = 1 << 15;

/// What one rank records of one repetition. Stamps stay in local ticks until the block is closed and the clocks are
/// known at both ends.
struct Stamp {
    Ticks start;
    Ticks end;
    SampleFlags flags = 0;
};

} // namespace ictus
