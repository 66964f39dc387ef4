#include "transport/global_clock.hpp"

#include "base/error.hpp"

#include <string>

namespace ictus {

void GlobalClock::wait_for_start(GlobalTime instant, double ahead_s) {
    const double left_s = instant - now();
    if (!(left_s <= ahead_s + stray_s)) {
        throw measurement_error("a start lies " + std::to_string(left_s) +
                                " s ahead on this rank's global clock, and " + std::to_string(ahead_s) +
                                " s ahead when it was announced: the synchronised clock is wrong. Give clocksync a "
                                "longer span (span=100ms), or measure where nothing else runs");
    }
    wait_until(instant);
}

} // namespace ictus
