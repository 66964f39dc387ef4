#include "clock/skewed.hpp"

#include "core/error.hpp"

#include <cmath>

namespace ictus {
namespace {

/// Rank (or host) 0 is skewed like all others: the root of a synchronisation need not show true time.
Skew draw_skew(const Bound& bound, const ClockPlace& place) {
    const int owner = bound.text("scope") == "host" ? place.host : place.rank;
    SplitMix64 random(SplitMix64::mix(bound.count("seed")) + static_cast<std::uint64_t>(owner));
    const double offset = (2.0 * random.uniform() - 1.0) * bound.real("offset");
    const double drift = (2.0 * random.uniform() - 1.0) * bound.real("drift");
    return {offset, drift, bound.real("wander"), random.next()};
}

std::unique_ptr<Clock> make_base(const Bound& bound, const ClockPlace& place) {
    if (bound.member("base").info().name == "skewed") {
        throw usage_error("clock 'skewed', parameter 'base': a skewed clock cannot be skewed again");
    }
    return clock::registry().make(bound.member("base"), place);
}

constexpr Parameter skewed_parameters[] = {
    {.name = "base",
     .type = Parameter::Type::member,
     .default_value = "tsc",
     .help = "the clock that is skewed",
     .family = &clock::family},
    {.name = "offset",
     .type = Parameter::Type::duration,
     .default_value = "1s",
     .help = "offsets are uniform in plus or minus this",
     .minimum = 0,
     .maximum = 1e6},
    {.name = "drift",
     .type = Parameter::Type::rate,
     .default_value = "20ppm",
     .help = "drifts are uniform in plus or minus this",
     .minimum = 0,
     .maximum = 0.01},
    {.name = "wander",
     .type = Parameter::Type::rate,
     .default_value = "0",
     .help = "standard deviation of the change of drift over one second (random walk)",
     .minimum = 0,
     .maximum = 0.001},
    {.name = "scope",
     .type = Parameter::Type::choice,
     .default_value = "rank",
     .help = "whether each rank or each host has a skew of its own",
     .choices = "rank host"},
    {.name = "seed",
     .type = Parameter::Type::count,
     .default_value = "1",
     .help = "decides all offsets, drifts and wanders"},
};

} // namespace

SkewedClock::SkewedClock(const Bound& bound, const ClockPlace& place)
    : CounterClock(place.yields), base_(make_base(bound, place)), skew_(draw_skew(bound, place)) {
    // No start_epoch(): the first reading would swallow the offset, which is what this clock is for.
}

std::int64_t SkewedClock::raw() { return skewed(base_->now()); }

LocalTime SkewedClock::at(std::int64_t base_raw) { return to_local({skewed({base_raw - base_->epoch()})}); }

std::int64_t SkewedClock::skewed(Ticks base) {
    const double seconds = base_->to_local(base).s;
    return base.count + static_cast<std::int64_t>(std::llround((skew_.apply(seconds) - seconds) * frequency_hz()));
}

const ClockMember clock::skewed = {
    {"skewed", "another clock with a known offset, drift and wander: ground truth for synchronisation", "",
     skewed_parameters},
    [](const Bound& bound, const ClockPlace& place) -> std::unique_ptr<Clock> {
        return std::make_unique<SkewedClock>(bound, place);
    }};

} // namespace ictus
