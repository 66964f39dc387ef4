// Shared by all clocks that read one counter: the epoch, the inlined reading, the wait. Derived provides the frequency,
//     Reading look()         the counter in the parts that the machine gives: nothing is computed in the timed window
//     int64_t raw(Reading)   these as one number
// and, where `can_be_set` is true, require_not_set(): throws where somebody has set the clock
#pragma once

#include "base/defaults.hpp"
#include "clock/clock.hpp"

#include <cstdint>
#include <ctime>
#include <sched.h>

namespace ictus {

template <class Derived>
class CounterClock : public Clock {
public:
    /// Of a reading by look().
    [[nodiscard]] Ticks ticks(const auto& reading) { return {self().raw(reading) - epoch_}; }
    /// Inlined: no virtual call.
    [[nodiscard]] Ticks read() { return ticks(self().look()); }

    [[nodiscard]] Ticks now() final { return read(); }
    [[nodiscard]] std::int64_t epoch() const override { return epoch_; }

    void wait_until(Ticks instant) final {
        const auto last_ticks = static_cast<std::int64_t>(last_s * frequency_hz());
        for (std::int64_t left = instant - read(); left > 0; left = instant - read()) {
            if constexpr (Derived::can_be_set) {
                if (left > static_cast<std::int64_t>(far_s * frequency_hz())) { // set back, it would not come for hours
                    self().require_not_set();
                }
            }
            if constexpr (is_simulated) { // time stands still while a process computes: a spin would never end
                sleep_for(static_cast<double>(left) / frequency_hz());
            } else if (yields_) {
                sched_yield();
            } else if (left > last_ticks) {
                processor_pause();
            }
        }
    }

    static constexpr bool can_be_set = false;

protected:
    explicit CounterClock(bool yields) : yields_(yields) {}
    /// Called once the derived clock can be read.
    void start_epoch(const ClockContext& context) {
        epoch_ = context.epoch ? *context.epoch : self().raw(self().look());
    }

private:
    Derived& self() { return static_cast<Derived&>(*this); }

    /// The last part of a wait spins without a pause, which may take a tenth of a microsecond: a start would be late.
    static constexpr double last_s = 1e-6;
    /// Before that there is time for other readings.
    static constexpr double far_s = 1e-3;

    /// Tells the core that this is a spin: its other hardware thread gets the units meanwhile.
    static void processor_pause() {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        asm volatile("yield");
#endif
    }

    /// At least a nanosecond, so that time advances. A second sleep is needed only where a skewed clock is slow.
    static void sleep_for(double seconds) {
        const auto whole = static_cast<std::time_t>(seconds);
        const std::timespec duration{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9) + 1};
        nanosleep(&duration, nullptr);
    }

    std::int64_t epoch_ = 0;
    bool yields_;
};

} // namespace ictus
