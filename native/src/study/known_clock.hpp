// A local clock that is a known function of the counter beneath it, in the past and in the future: the processor's, the
// kernel's or the simulator's clock, or a skewed clock, whose skew can be computed.
#pragma once

#include "clock/clock.hpp"
#include "measure/launch_context.hpp"
#include "study/study.hpp"

#include <vector>

namespace ictus {

class SkewedClock;

class KnownClock {
public:
    explicit KnownClock(Clock& clock);

    /// The counter's reading now, without skew and epoch.
    [[nodiscard]] std::int64_t counter();
    /// What the clock shows at this reading of the counter.
    [[nodiscard]] LocalTime at(std::int64_t counter);

private:
    Clock& clock_;
    SkewedClock* skewed_; // null where the clock is not skewed
};

// Whether all ranks read one counter. Only then can the true errors of their global clocks be computed, so it is
// measured and never assumed.

/// Each rank's counter minus rank 0's, in seconds, summed over the tree: filled on rank 0, NaN for rank 0 itself.
struct SharedCounter {
    bool shared = false; ///< the same on all ranks: each rank's interval against the rank above it contains 0
    std::vector<RankNumbers> intervals;
};

/// Whether ranks at these locations may share one. Counters of different hosts may agree by accident for a while, to
/// within half a round trip. So by default only those of one host, and a simulator's, are tested.
[[nodiscard]] bool may_share_a_counter(std::span<const RankLocation> locations);

/// Collective. Ranks play ping-pong down a binomial tree, with counter readings as stamps.
[[nodiscard]] SharedCounter measure_shared_counter(LaunchContext& context, KnownClock& clock);

} // namespace ictus
