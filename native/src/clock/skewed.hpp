// `skewed`: another clock with a known offset, drift and wander, so that the true error of a synchronisation is known
// exactly.
#pragma once

#include "clock/counter_clock.hpp"
#include "clockmath/skew.hpp"

#include <array>

namespace ictus {

class SkewedClock final : public CounterClock<SkewedClock> {
public:
    SkewedClock(const Bound& bound, const ClockContext& context);

    using Reading = std::array<std::int64_t, 1>;
    /// In ticks of the base clock, so that the conversion loses at most half a tick.
    [[nodiscard]] Reading look();
    [[nodiscard]] static std::int64_t raw(const Reading& reading) { return reading[0]; }
    /// What this clock shows when the base clock's raw counter is `base_raw`: the truth for tests and studies.
    [[nodiscard]] LocalTime at(std::int64_t base_raw);

    [[nodiscard]] double frequency_hz() const override { return base_->frequency_hz(); }
    [[nodiscard]] std::string frequency_source() const override { return base_->frequency_source(); }
    [[nodiscard]] std::int64_t epoch() const override { return base_->epoch(); }
    [[nodiscard]] bool is_common_to_host() const override { return skews_hosts_ && base_->is_common_to_host(); }
    [[nodiscard]] Clock& base() { return *base_; }

private:
    [[nodiscard]] std::int64_t skewed(Ticks base);

    std::unique_ptr<Clock> base_;
    Skew skew_;
    bool skews_hosts_; ///< and not each rank
};

namespace clock {
extern const ClockMember skewed;
}

} // namespace ictus
