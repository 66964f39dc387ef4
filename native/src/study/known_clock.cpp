#include "study/known_clock.hpp"

#include "base/defaults.hpp"
#include "base/summary.hpp"
#include "clock/skewed.hpp"
#include "study/study.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <limits>

namespace ictus {

KnownClock::KnownClock(Clock& clock) : clock_(clock), skewed_(dynamic_cast<SkewedClock*>(&clock)) {}

std::int64_t KnownClock::counter() {
    Clock& base = skewed_ != nullptr ? skewed_->base() : clock_;
    return base.epoch() + base.now().count;
}

LocalTime KnownClock::at(std::int64_t counter) {
    return skewed_ != nullptr ? skewed_->at(counter) : clock_.to_local({counter - clock_.epoch()});
}

namespace {

/// A simulator has one time by construction, and its messages are expensive.
constexpr int exchanges = is_simulated ? 5 : 200;

/// Own counter minus rank 0's, in whole ticks, as its exchanges prove it.
struct CounterInterval {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
};

void answer(Transport& transport, KnownClock& clock, int client) {
    for (int i = 0; i < exchanges; ++i) {
        (void)receive_value<std::int64_t>(transport, client);
        send_value(transport, client, clock.counter());
    }
}

CounterInterval ask(Transport& transport, KnownClock& clock) {
    CounterInterval found;
    for (int i = 0; i < exchanges; ++i) {
        const std::int64_t sent = clock.counter();
        send_value(transport, 0, sent);
        const auto theirs = receive_value<std::int64_t>(transport, 0);
        found.low = std::max(found.low, sent - theirs);
        found.high = std::min(found.high, clock.counter() - theirs);
    }
    return found;
}

CounterInterval measure_in_turn(Transport& transport, KnownClock& clock) {
    if (transport.rank() != 0) {
        return ask(transport, clock);
    }
    for (int client = 1; client < transport.size(); ++client) {
        answer(transport, clock, client);
    }
    return {0, 0};
}

} // namespace

bool may_share_a_counter(std::span<const RankLocation> locations) {
    return is_simulated || std::all_of(locations.begin(), locations.end(),
                                       [&](const RankLocation& one) { return one.host == locations[0].host; });
}

SharedCounter measure_shared_counter(LaunchContext& context, KnownClock& clock) {
    const CounterInterval found = measure_in_turn(context.transport(), clock);
    const bool mine = found.low <= 0 && found.high >= 0;
    const double tick_s = 1.0 / context.clock().frequency_hz();
    const double middle_s = (static_cast<double>(found.low) + static_cast<double>(found.high)) / 2 * tick_s;
    const double half_s = (static_cast<double>(found.high) - static_cast<double>(found.low)) / 2 * tick_s;
    const double values[] = {context.is_root() ? undefined : middle_s,
                             context.is_root() || half_s < 0.0 ? undefined : half_s}; // crossed ends prove nothing
    auto columns = gather_columns(context.record_comm(), values);
    return {control::largest(context.transport(), mine ? 0.0 : 1.0) == 0.0, std::move(columns[0]),
            std::move(columns[1])};
}

} // namespace ictus
