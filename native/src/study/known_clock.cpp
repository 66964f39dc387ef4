#include "study/known_clock.hpp"

#include "clock/skewed.hpp"

namespace ictus {

KnownClock::KnownClock(Clock& clock) : clock_(clock), skewed_(dynamic_cast<SkewedClock*>(&clock)) {}

std::int64_t KnownClock::counter() {
    Clock& base = skewed_ != nullptr ? skewed_->base() : clock_;
    return base.epoch() + base.now().count;
}

LocalTime KnownClock::at(std::int64_t counter) {
    return skewed_ != nullptr ? skewed_->at(counter) : clock_.to_local({counter - clock_.epoch()});
}

} // namespace ictus
