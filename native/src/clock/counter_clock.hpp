// Shared by all clocks that read one counter: the epoch, the inlined reading, the wait. Derived provides `raw()` and
// the frequency.
#pragma once

#include "base/defaults.hpp"
#include "clock/clock.hpp"

#include <ctime>
#include <sched.h>

namespace ictus {

template <class Derived>
class CounterClock : public Clock {
public:
    /// The reading of the timed window: no virtual call.
    [[nodiscard]] Ticks read() { return {self().raw() - epoch_}; }

    [[nodiscard]] Ticks now() final { return read(); }
    [[nodiscard]] std::int64_t epoch() const override { return epoch_; }

    void wait_until(Ticks instant) final {
        while (read() < instant) {
            if constexpr (is_simulated) { // time stands still while a process computes: a spin would never end
                pause(static_cast<double>(instant - read()) / frequency_hz());
            } else if (yields_) {
                sched_yield();
            }
        }
    }

protected:
    explicit CounterClock(bool yields) : yields_(yields) {}
    /// Called once the derived clock can be read.
    void start_epoch(const ClockContext& context) { epoch_ = context.epoch ? *context.epoch : self().raw(); }

private:
    Derived& self() { return static_cast<Derived&>(*this); }

    /// At least a nanosecond, so that time advances. A second sleep is needed only where a skewed clock is slow.
    static void pause(double seconds) {
        const auto whole = static_cast<std::time_t>(seconds);
        const std::timespec duration{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9) + 1};
        nanosleep(&duration, nullptr);
    }

    std::int64_t epoch_ = 0;
    bool yields_;
};

} // namespace ictus
