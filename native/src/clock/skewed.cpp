#include "clock/skewed.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "clockmath/skew.hpp"

#include <cmath>

namespace ictus {
namespace {

/// Rank (or host) 0 is skewed like all others: the root of a synchronisation need not show true time.
Skew skew_of(const Bound& bound, const ClockContext& context) {
    const int owner = bound.text("scope") == "host" ? context.host : context.rank;
    return draw_skew(bound, static_cast<std::uint64_t>(owner)).skew();
}

std::unique_ptr<Clock> make_base(const Bound& bound, const ClockContext& context) {
    if (bound.member("base").info().name == "skewed") {
        throw usage_error("clock 'skewed', parameter 'base': a skewed clock cannot be skewed again");
    }
    return clock::registry().make(bound.member("base"), context);
}

constexpr Parameter skewed_parameters[] = {
    {.name = "base",
     .type = Parameter::Type::member,
     .default_value = defaults::clock,
     .help = "the clock that is skewed",
     .family = &clock::family},
    skew_parameter::offset,
    skew_parameter::drift,
    skew_parameter::wander,
    skew_parameter::scope,
    skew_parameter::seed,
};

} // namespace

SkewedClock::SkewedClock(const Bound& bound, const ClockContext& context)
    : CounterClock(context.yields), base_(make_base(bound, context)), skew_(skew_of(bound, context)),
      skews_hosts_(bound.text("scope") == "host") {
    // No start_epoch(): the first reading would remove the offset, which is the purpose of this clock.
}

SkewedClock::Reading SkewedClock::look() { return {skewed(base_->now())}; }

LocalTime SkewedClock::at(std::int64_t base_raw) { return to_local({skewed({base_raw - base_->epoch()})}); }

std::int64_t SkewedClock::skewed(Ticks base) {
    const double seconds = base_->to_local(base).s;
    return base.count + static_cast<std::int64_t>(std::llround((skew_.apply(seconds) - seconds) * frequency_hz()));
}

const ClockMember clock::skewed = {
    {"skewed", "another clock with a known offset, drift and wander: ground truth for synchronisation", "",
     skewed_parameters},
    [](const Bound& bound, const ClockContext& context) -> std::unique_ptr<Clock> {
        return std::make_unique<SkewedClock>(bound, context);
    }};

} // namespace ictus
