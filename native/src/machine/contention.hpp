// Did others use our CPUs? Arithmetic on counters only; the readers are in counters.hpp.
//
// The load average answers another question: our own spinning ranks raise it, and it forgets over minutes. A rank's
// run-queue delay is the time in which it wanted to run and could not; steal is the same one level down, when the
// hypervisor ran somebody else.
#pragma once

#include "machine/counters.hpp"

#include <optional>
#include <span>
#include <vector>

namespace ictus::record {

/// Above this share of the launch a rank's CPU was not ours. On a quiet machine the kernel's housekeeping costs a
/// spinning rank less than half a per cent (0.03 to 0.4 % measured on two virtual CPUs), while one foreign process that
/// computes on the same CPU takes half of it, and a compiler that comes and goes some 5 to 20 %: 3 % lies between the
/// two with room on both sides.
inline constexpr double contention_threshold = 0.03;

struct Contention {
    double run_queue_share; ///< largest over the ranks; NaN where no rank could tell
    double steal_share;     ///< likewise
    double share;           ///< the larger of both
    bool oversubscribed;
    std::optional<bool> contended; ///< absent where nothing could be read, never a guess
};

/// Share of the time between two snapshots that the rank waited for its CPU; NaN where unknown.
[[nodiscard]] double run_queue_share(const Snapshot& begin, const Snapshot& end);

/// Largest share of steal on a CPU that the rank was allowed to run on at the end; NaN where unknown. Both readings are
/// cut to whole ticks (10 ms), so one tick less than their difference is certain, and only that is counted: a short
/// launch is not blamed for rounding.
[[nodiscard]] double steal_share(const Snapshot& begin, const Snapshot& end);

/// Judges a launch from every rank's shares (NaN = unknown). Ranks that outnumber their CPUs make each other wait,
/// which their counters cannot tell apart from foreign load: such a launch is marked oversubscribed and never
/// contended.
[[nodiscard]] Contention contention_verdict(std::span<const double> run_queue_shares,
                                            std::span<const double> steal_shares, bool oversubscribed);

} // namespace ictus::record
