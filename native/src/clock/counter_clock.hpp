// What every clock that reads one counter shares: the epoch, the inlined reading, the wait. Derived gives `raw()` and
// its frequency.
#pragma once

#include "clock/clock.hpp"

#include <sched.h>
#if defined(ICTUS_SIMULATED)
#include <ctime>
#endif

namespace ictus {

template <class Derived>
class CounterClock : public Clock {
public:
    /// The reading of the timed window: no virtual call.
    [[nodiscard]] Ticks read() { return {self().raw() - epoch_}; }

    [[nodiscard]] Ticks now() final { return read(); }
    [[nodiscard]] std::int64_t epoch() const override { return epoch_; }

    void wait_until(Ticks instant) final {
#if defined(ICTUS_SIMULATED) // simulated time stands still while a process computes: a spin would never end
        const double left = static_cast<double>(instant - read()) / frequency_hz();
        if (left <= 0.0) {
            return;
        }
        const auto whole = static_cast<std::time_t>(left);
        const std::timespec pause{whole, static_cast<long>((left - static_cast<double>(whole)) * 1e9) + 1};
        nanosleep(&pause, nullptr);
#else
        while (read() < instant) {
            if (yields_) {
                sched_yield();
            }
        }
#endif
    }

protected:
    explicit CounterClock(bool yields) : yields_(yields) {}
    /// Called once the derived clock can be read.
    void start_epoch(const ClockPlace& place) { epoch_ = place.epoch ? *place.epoch : self().raw(); }

private:
    Derived& self() { return static_cast<Derived&>(*this); }

    std::int64_t epoch_ = 0;
    bool yields_;
};

} // namespace ictus
