#include "study/known_clock.hpp"

#include "base/defaults.hpp"
#include "base/summary.hpp"
#include "clock/skewed.hpp"
#include "study/study.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <bit>
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

/// Own counter minus another rank's, in whole ticks, as exchanges prove it.
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

CounterInterval ask(Transport& transport, KnownClock& clock, int reference) {
    CounterInterval found;
    for (int i = 0; i < exchanges; ++i) {
        const std::int64_t sent = clock.counter();
        send_value(transport, reference, sent);
        const auto theirs = receive_value<std::int64_t>(transport, reference);
        found.low = std::max(found.low, sent - theirs);
        found.high = std::min(found.high, clock.counter() - theirs);
    }
    return found;
}

/// What a rank knows of its counter.
struct CounterVerdict {
    CounterInterval against_root{0, 0}; ///< the sum of what the edges between them prove
    bool is_parents = true;             ///< nothing speaks against one counter with the rank above
};

/// In a binomial tree from rank 0 down, so that it takes ceil(log2 p) rounds. All read one counter where each reads
/// that of the rank above.
CounterVerdict measure_in_tree(Transport& transport, KnownClock& clock) {
    const int rank = transport.rank();
    const int size = transport.size();
    CounterVerdict verdict;
    for (int stride = static_cast<int>(std::bit_ceil(static_cast<unsigned>(size))) / 2; stride >= 1; stride /= 2) {
        if (rank % (2 * stride) == stride) {
            const CounterInterval edge = ask(transport, clock, rank - stride);
            const auto above = receive_value<CounterInterval>(transport, rank - stride);
            verdict.against_root = {above.low + edge.low, above.high + edge.high};
            verdict.is_parents = edge.low <= 0 && edge.high >= 0;
        } else if (rank % (2 * stride) == 0 && rank + stride < size) {
            answer(transport, clock, rank + stride);
            send_value(transport, rank + stride, verdict.against_root);
        }
    }
    return verdict;
}

} // namespace

bool may_share_a_counter(std::span<const RankLocation> locations) {
    return is_simulated || std::all_of(locations.begin(), locations.end(),
                                       [&](const RankLocation& one) { return one.host == locations[0].host; });
}

SharedCounter measure_shared_counter(LaunchContext& context, KnownClock& clock) {
    const auto [found, is_parents] = measure_in_tree(context.transport(), clock);
    const double tick_s = 1.0 / context.clock().frequency_hz();
    const double middle_s = (static_cast<double>(found.low) + static_cast<double>(found.high)) / 2 * tick_s;
    const double half_s = (static_cast<double>(found.high) - static_cast<double>(found.low)) / 2 * tick_s;
    auto intervals = gather_named(
        context.record_comm(),
        {{"offset_s", context.is_root() ? undefined : middle_s},
         {"half_width_s", context.is_root() || half_s < 0.0 ? undefined : half_s}}); // crossed ends prove nothing
    return {control::largest(context.transport(), is_parents ? 0.0 : 1.0) == 0.0, std::move(intervals)};
}

} // namespace ictus
