#include "clock/monotonic.hpp"

namespace ictus {

const ClockMember clock::monotonic = {{"monotonic", "clock_gettime(CLOCK_MONOTONIC_RAW)", "", {}},
                                      [](const Bound& bound, const ClockPlace& place) -> std::unique_ptr<Clock> {
                                          return std::make_unique<MonotonicClock>(bound, place);
                                      }};

} // namespace ictus
