// A local clock whose past and future are known as a function of the counter beneath it: of the processor's, the
// kernel's or the simulator's own, or of a skewed clock, whose skew is a computation.
#pragma once

#include "clock/clock.hpp"

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

} // namespace ictus
