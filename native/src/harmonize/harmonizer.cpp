#include "harmonize/harmonizer.hpp"

#include "base/error.hpp"
#include "base/summary.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ictus {
namespace {

// Flags that travel to rank 0.
constexpr std::uint8_t missed_flag = 1;  ///< the last deadline had passed before this rank could wait for it
constexpr std::uint8_t tight_flag = 2;   ///< and a longer slack would have helped: not the clock's fault
constexpr std::uint8_t stalled_flag = 4; ///< it lost its core, before the wait or in it
constexpr std::uint8_t expired_flag = 8; ///< its clock should be synchronised anew

constexpr int slack_probes = 20;
constexpr double slack_per_broadcast = 2.0;
/// A pause before every other probe: a program that has computed meanwhile has cold caches too.
constexpr double rest_s = 100e-6;
/// No two healthy clocks drift apart faster. Where no bound is proven, a miss may be due to this drift.
constexpr double steepest_drift = 1e-4;

/// The shortest step of a transport's clock, as far as it matters, seconds. A fine clock shows it at once, a coarse one
/// after a wait.
double resolution_of(Transport& transport) {
    constexpr int readings = 200;
    constexpr double wait_s = 1e-6;
    double shortest = std::numeric_limits<double>::infinity();
    LocalTime last = transport.now();
    for (int i = 0; i < readings; ++i) {
        const LocalTime now = transport.now();
        shortest = now - last > 0.0 ? std::min(shortest, now - last) : shortest;
        last = now;
    }
    if (std::isfinite(shortest)) {
        return shortest;
    }
    transport.wait_until(transport.now() + wait_s); // to the begin of a step
    const LocalTime began = transport.now();
    transport.wait_until(began + wait_s);
    const double step = transport.now() - began;
    return step > 2.0 * wait_s ? step : 0.0; // a simulated clock stands still until somebody waits
}

} // namespace

Harmonizer::Harmonizer(Transport& transport, const harmonize::HarmonizeSettings& settings)
    : transport_(transport), settings_(settings), clocksync_(clocksync::registry().make(settings.clocksync)),
      clock_(transport), slack_(settings.slack, 0.0, 0.0) {}

void Harmonizer::prepare() {
    tolerance_s_ = std::max(settings_.tolerance_s, 2.0 * resolution_of(transport_));
    synchronise();
    const BroadcastTimes times = settings_.start_slack_s ? BroadcastTimes{} : broadcast_times();
    slack_ = {settings_.slack, settings_.start_slack_s.value_or(slack_per_broadcast * times.mean_s),
              settings_.start_slack_s.value_or(slack_per_broadcast * times.least_s)};
    rehearse();
    prepared_ = true;
}

/// Calls that do not count: the first one takes so long that every rank would miss it.
void Harmonizer::rehearse() {
    constexpr int calls = 3;
    const Statistics before = statistics_;
    for (int i = 0; i < calls; ++i) {
        (void)gather(0);
        (void)await(announce(next_deadline()));
    }
    statistics_ = before;
    doubtful_miss_.reset();
    last_ = 0;
}

bool Harmonizer::meet() {
    if (!prepared_) {
        prepare();
    }
    ++statistics_.calls;
    const Flags all = gather(own_flags());
    Announcement announced = announce(decide(all));
    if (announced.kind == AnnouncementKind::synchronise) {
        synchronise();
        const Flags lacking = gather(flags_of_right_clock()); // ranks leave a synchronisation at different times
        if ((lacking & tight_flag) != 0 && (all & tight_flag) == 0) {
            slack_.missed();
        }
        announced = announce(next_deadline());
    }
    return await(announced);
}

Harmonizer::Flags Harmonizer::own_flags() {
    return static_cast<Flags>(last_ | (transport_.now() >= expires_ ? expired_flag : 0));
}

Harmonizer::Flags Harmonizer::gather(Flags own) {
    control::reduce(transport_, std::span(&own, 1),
                    [](Flags& into, Flags from) { into = static_cast<Flags>(into | from); });
    return own;
}

/// On rank 0 only.
Harmonizer::Announcement Harmonizer::decide(Flags all) {
    if (transport_.rank() != 0) {
        return {};
    }
    if ((all & tight_flag) != 0) {
        slack_.missed();
    } else if ((all & stalled_flag) != 0) {
        slack_.stalled();
    } else if ((all & missed_flag) == 0 && statistics_.calls > 1) {
        slack_.met();
    }
    const bool rested = transport_.now() - synchronised_ >= settings_.spacing * took_s_;
    if ((all & expired_flag) != 0 || ((all & missed_flag) != 0 && rested)) {
        return {.kind = AnnouncementKind::synchronise, .deadline = {}};
    }
    return next_deadline();
}

Harmonizer::Announcement Harmonizer::next_deadline() {
    return {.deadline = clock_.now() + slack_.value_s(), .slack_s = slack_.value_s()};
}

Harmonizer::Announcement Harmonizer::announce(const Announcement& roots) {
    const Announcement announced = control::broadcast_value(transport_, roots);
    if (announced.kind != AnnouncementKind::deadline && announced.kind != AnnouncementKind::synchronise) {
        throw measurement_error("harmonize: received an announcement of unknown kind " +
                                std::to_string(static_cast<std::uint64_t>(announced.kind)) +
                                "; do all ranks run the same version of Ictus?");
    }
    return announced;
}

bool Harmonizer::await(const Announcement& announced) {
    doubtful_miss_.reset();
    statistics_.slack_s = announced.slack_s;
    statistics_.largest_slack_s = std::max(statistics_.largest_slack_s, announced.slack_s);
    const LocalTime heard = transport_.now();
    instant_ = announced.deadline;
    const double left_s = announced.deadline - clock_.to_global(heard);
    if (left_s < 0.0) {
        last_ = flags_of_miss(heard, announced);
        ++statistics_.missed;
        return false;
    }
    if (!(left_s <= announced.slack_s + tolerance_s_)) {
        // The deadline lies further ahead than the slack, which cannot be, or it is no number.
        transport_.wait_until(heard + announced.slack_s);
        instant_ = clock_.now();
        last_ = expired_flag;
        ++statistics_.missed;
        return false;
    }
    clock_.wait_until(announced.deadline);
    last_ = 0;
    if (clock_.now() - announced.deadline > tolerance_s_) {
        ++statistics_.overslept; // not the clocks' fault
        last_ = stalled_flag;
        return false;
    }
    return true;
}

/// The cause: a stall, the slack, or a clock that has drifted. Where the clock could have drifted by the tolerance, the
/// corrected clock decides after the next synchronisation.
Harmonizer::Flags Harmonizer::flags_of_miss(LocalTime heard, const Announcement& announced) {
    const double late_s = clock_.to_global(heard) - announced.deadline;
    if (!Slack::could_have_met(late_s, announced.slack_s, settings_.slack.cap_s)) {
        return missed_flag | stalled_flag;
    }
    if (heard < trusted_until_) {
        return missed_flag | tight_flag;
    }
    doubtful_miss_ = {heard, announced.deadline};
    return missed_flag;
}

/// After a synchronisation: whether the deadline had passed by the corrected clock too, so that the slack was too
/// short.
Harmonizer::Flags Harmonizer::flags_of_right_clock() {
    const bool late = doubtful_miss_ && clock_.to_global(doubtful_miss_->heard) > doubtful_miss_->deadline;
    doubtful_miss_.reset();
    return late ? tight_flag : Flags{0};
}

void Harmonizer::synchronise() {
    const LocalTime began = transport_.now();
    const Synchronised own = clocksync_->synchronise(transport_);
    clock_.set_model(own.model);
    bound_ = own.bound;
    synchronised_ = transport_.now();
    took_s_ = synchronised_ - began;
    expires_ =
        settings_.expiry_s ? synchronised_ + *settings_.expiry_s : expiry_of(bound_, synchronised_, settings_.expiry);
    const ExpiryRule trust{.allowance_s = settings_.tolerance_s, .otherwise_s = settings_.tolerance_s / steepest_drift};
    trusted_until_ = expiry_of(bound_, synchronised_, trust);
    ++statistics_.synchronisations;
    statistics_.synchronising_s += took_s_;
}

/// The time from rank 0's announcement to its arrival at a rank, in the rhythm of a call: mean and minimum of the
/// slowest rank. The mean leaves out disturbed probes, for a pause of milliseconds says nothing about broadcasts. The
/// minimum is right even where most probes are disturbed.
Harmonizer::BroadcastTimes Harmonizer::broadcast_times() {
    std::vector<double> times;
    for (int i = 0; i < slack_probes; ++i) {
        if (i % 2 == 0) {
            transport_.wait_until(transport_.now() + rest_s);
        }
        (void)gather(0);
        const GlobalTime sent = control::broadcast_value(transport_, clock_.now());
        times.push_back(std::max(0.0, clock_.now() - sent));
    }
    const double least = *std::min_element(times.begin(), times.end());
    return {control::largest(transport_, mean_inside_fences(times)), control::largest(transport_, least)};
}

} // namespace ictus
