// Time has a type. Raw arithmetic between a clock's ticks, a rank's own time and the global time does not compile:
// mixing them is the one mistake that a benchmark never notices.
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

/// Seconds since the epoch of this rank's clock (the ranks of a host share one). After the epoch is subtracted a double
/// resolves 0.2 ps even after half an hour.
struct LocalTime {
    double s = 0.0;
    friend constexpr auto operator<=>(const LocalTime&, const LocalTime&) = default;
    friend constexpr double operator-(LocalTime a, LocalTime b) { return a.s - b.s; }
    friend constexpr LocalTime operator+(LocalTime a, double seconds) { return {a.s + seconds}; }
};

/// Seconds since rank 0's epoch, the same instant having the same value on every rank up to the clock error.
struct GlobalTime {
    double s = 0.0;
    friend constexpr auto operator<=>(const GlobalTime&, const GlobalTime&) = default;
    friend constexpr double operator-(GlobalTime a, GlobalTime b) { return a.s - b.s; }
    friend constexpr GlobalTime operator+(GlobalTime a, double seconds) { return {a.s + seconds}; }
};

// Why a sample is not valid. Local knowledge of each rank; combined over the ranks after the loop, never inside it.

using SampleFlags = std::uint16_t;

inline constexpr SampleFlags late_flag = 1;     ///< reached the start after the deadline
inline constexpr SampleFlags overrun_flag = 2;  ///< ended after its window
inline constexpr SampleFlags rejected_flag = 4; ///< its whole batch was taken again, with a longer window

/// Not about a sample and never recorded: the process synchronisation has ended the case, there is no repetition.
inline constexpr SampleFlags over_flag = 1 << 15;

/// What one rank records of one repetition. Stamps stay in local ticks until the block is closed and the clocks are
/// known at both ends.
struct Stamp {
    Ticks start;
    Ticks end;
    SampleFlags flags = 0;
};

} // namespace ictus
