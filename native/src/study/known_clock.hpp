// A local clock whose past and future are known as a function of the counter beneath it: of the processor's, the
// kernel's or the simulator's own, or of a skewed clock, whose skew is a computation.
#pragma once

#include "clock/clock.hpp"
#include "measure/launch_context.hpp"

#include <vector>

namespace ictus {

class SkewedClock;

class KnownClock {
public:
    explicit KnownClock(Clock& clock);

    /// The counter's reading now, which no skew and no epoch touches.
    [[nodiscard]] std::int64_t counter();
    /// What the clock shows when the counter stands there.
    [[nodiscard]] LocalTime at(std::int64_t counter);

private:
    Clock& clock_;
    SkewedClock* skewed_; // null where the clock is not skewed
};

// Whether all ranks read one counter. Only then is the truth about their global clocks a computation; so it is measured
// and never assumed.

/// Each rank's counter minus rank 0's, in seconds: filled on rank 0, NaN for rank 0 itself.
struct SharedCounter {
    bool shared = false; ///< the same on all ranks: what every rank's exchanges prove allows 0
    std::vector<double> offset_s;
    std::vector<double> half_width_s;
};

/// Whether it is worth a measurement. Hosts may have counters that agree by accident, to within what a round trip shows
/// and for a while. So without being told, only those of one host, and a simulator's, are put to the test.
[[nodiscard]] bool may_share_a_counter(std::span<const RankLocation> locations);

/// Collective. Rank 0 plays ping-pong with each rank in turn, stamped with counters as they stand.
[[nodiscard]] SharedCounter measure_shared_counter(LaunchContext& context, KnownClock& clock);

} // namespace ictus
