#include "study/trial.hpp"

#include "base/summary.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ictus {
namespace {
std::int64_t latest(Transport& transport, std::int64_t counter) {
    control::reduce(transport, std::span(&counter, 1),
                    [](std::int64_t& into, std::int64_t from) { into = std::max(into, from); });
    return control::broadcast_value(transport, counter);
}

} // namespace

Trial synchronise(Transport& transport, KnownClock& clock, bool shared, const Bound& algorithm) {
    const auto instance = clocksync::registry().make(algorithm);
    Trial trial;
    transport.library_barrier();
    const LocalTime begin = transport.now();
    const std::uint64_t sent = transport.messages_sent();
    trial.own = instance->synchronise(transport);
    const std::int64_t counter = clock.counter();
    trial.elapsed_s = transport.now() - begin;
    trial.messages = transport.messages_sent() - sent;
    trial.ended_counter = latest(transport, counter);
    const LocalTime ended = shared ? clock.at(trial.ended_counter) : transport.now();
    trial.ended_root = control::broadcast_value(transport, as_reference(ended));
    trial.root = control::broadcast_value(transport, trial.own.model);
    return trial;
}

TrialRecord record_of(LaunchContext& context, const Trial& trial) {
    const Synchronised& own = trial.own;
    const ModelInterval& interval = own.confidence;
    const auto gather = [&](auto numbers) { return gather_named(context.record_comm(), numbers); };
    using Numbers = std::initializer_list<std::pair<std::string_view, double>>;
    const auto costs =
        gather(Numbers{{"elapsed_s", trial.elapsed_s}, {"messages", static_cast<double>(trial.messages)}});
    TrialRecord record;
    record.repeat = trial.repeat;
    record.algorithm = trial.algorithm;
    record.model = gather(Numbers{{"slope", own.model.slope},
                                  {"intercept_s", own.model.intercept.s},
                                  {"slope_error", own.slope_error},
                                  {"intercept_error_s", own.intercept_error}});
    auto confidence = gather(Numbers{{"slope_low", interval.slope.low},
                                     {"slope_high", interval.slope.high},
                                     {"intercept_low_s", interval.intercept.low},
                                     {"intercept_high_s", interval.intercept.high}});
    if (context.is_root()) {
        const std::vector<double>& messages = costs[1].rows.front();
        record.elapsed_s = std::ranges::max(costs[0].rows.front());
        record.messages = static_cast<std::uint64_t>(std::accumulate(messages.begin(), messages.end(), 0.0));
        if (std::ranges::any_of(confidence[0].rows.front(), [](double low) { return !std::isnan(low); })) {
            record.confidence = std::move(confidence);
        }
    }
    return record;
}

void add_known_errors(TrialRecord& record, LaunchContext& context, KnownClock& clock, const Trial& trial,
                      const std::vector<double>& waits_s) {
    const double frequency = control::broadcast_value(context.transport(), context.clock().frequency_hz());
    OwnNumbers error{"error_s", {}};
    OwnNumbers bound{"bound_s", {}};
    for (const double wait : waits_s) {
        const std::int64_t instant = trial.ended_counter + std::llround(wait * frequency);
        const LocalTime local = clock.at(instant);
        record.known_at_s.push_back(static_cast<double>(instant - context.clock().epoch()) / frequency);
        error.values.push_back(trial.own.model.to_global(local).s);
        bound.values.push_back(trial.own.bound(local));
    }
    record.known = gather_named(context.record_comm(), std::vector{std::move(error), std::move(bound)});
    for (std::vector<double>& globals : record.known->front().rows) {
        const double root = globals.empty() ? 0.0 : globals.front();
        for (double& global : globals) {
            global -= root;
        }
    }
}

void add_checked_errors(TrialRecord& record, LaunchContext& context, const Trial& trial) {
    std::vector<OwnNumbers> own;
    const auto add = [&](std::string_view name, auto value_of) {
        std::vector<double>& values = own.emplace_back(OwnNumbers{name, {}}).values;
        for (const std::optional<CheckedError>& check : trial.checks) {
            values.push_back(check ? value_of(*check) : undefined);
        }
    };
    add("waited_s", [&](const CheckedError& check) { return check.root_time - trial.ended_root; });
    add("error_s", [](const CheckedError& check) { return check.error_s; });
    add("half_width_s", [](const CheckedError& check) { return check.half_width_s; });
    add("bound_s", [&](const CheckedError& check) { return trial.own.bound(check.local_time); });
    record.ping_pong = gather_named(context.record_comm(), own);
}

void CheckSchedule::add(Trial& trial) {
    trial.checks.resize(waits_s_.size());
    for (std::size_t wait = 0; !ranks_.empty() && wait < waits_s_.size(); ++wait) {
        pending_.push_back({trial.ended_root + waits_s_[wait], n_trials_, wait});
    }
    ++n_trials_;
}

void CheckSchedule::perform_due(std::vector<Trial>& trials) {
    const ReferenceTime now = control::broadcast_value(transport_, as_reference(transport_.now()));
    const auto is_due = [&](const PendingCheck& one) { return one.root_time <= now; };
    if (std::none_of(pending_.begin(), pending_.end(), is_due)) {
        return;
    }
    const CheckRounds rounds = check_by_ping_pong(transport_, ranks_, settings_);
    for (const PendingCheck& one : pending_) {
        if (is_due(one) && !rounds.empty()) {
            Trial& trial = trials[one.trial];
            trial.checks[one.wait] = smallest_error(rounds, trial.own.model, trial.root);
        }
    }
    std::erase_if(pending_, is_due);
}

void CheckSchedule::perform_all(std::vector<Trial>& trials) {
    while (!pending_.empty()) {
        const auto next =
            std::min_element(pending_.begin(), pending_.end(),
                             [](const PendingCheck& a, const PendingCheck& b) { return a.root_time < b.root_time; });
        if (transport_.rank() == 0) {
            transport_.wait_until(as_own(next->root_time));
        }
        perform_due(trials);
    }
}

} // namespace ictus
