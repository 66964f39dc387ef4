// `monotonic`: the kernel's clock, in nanoseconds, not steered by time servers.
#pragma once

#include "clock/counter_clock.hpp"

#include <array>
#include <ctime>

namespace ictus {

class MonotonicClock final : public CounterClock<MonotonicClock> {
public:
    MonotonicClock(const Bound&, const ClockContext& context) : CounterClock(context.yields) { start_epoch(context); }

    using Reading = std::array<std::int64_t, 2>; ///< seconds, nanoseconds
    [[nodiscard]] static Reading look() {
        std::timespec now;
        clock_gettime(CLOCK_MONOTONIC_RAW, &now);
        return {now.tv_sec, now.tv_nsec};
    }
    [[nodiscard]] static std::int64_t raw(const Reading& reading) { return reading[0] * 1'000'000'000 + reading[1]; }

    [[nodiscard]] double frequency_hz() const override { return 1e9; }
    [[nodiscard]] std::string frequency_source() const override { return "defined"; }
};

namespace clock {
inline const ClockMember monotonic = {{"monotonic", "clock_gettime(CLOCK_MONOTONIC_RAW)", "", {}},
                                      [](const Bound& bound, const ClockContext& context) -> std::unique_ptr<Clock> {
                                          return std::make_unique<MonotonicClock>(bound, context);
                                      }};
} // namespace clock

} // namespace ictus
