#include "study/trial.hpp"

#include "base/summary.hpp"
#include "study/study.hpp"
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

/// The first `n` lists, cut off the front.
Matrix take_front(Matrix& columns, std::size_t n) {
    const auto end = columns.begin() + static_cast<std::ptrdiff_t>(n);
    Matrix front(std::make_move_iterator(columns.begin()), std::make_move_iterator(end));
    columns.erase(columns.begin(), end);
    return front;
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

SynchronisationRecord record_of(LaunchContext& context, const Trial& trial) {
    const Synchronised& own = trial.own;
    const ModelInterval& interval = own.confidence;
    const double values[] = {trial.elapsed_s,        static_cast<double>(trial.messages),
                             own.model.slope,        own.model.intercept.s,
                             own.slope_error,        own.intercept_error,
                             interval.slope.low,     interval.slope.high,
                             interval.intercept.low, interval.intercept.high};
    auto columns = gather_columns(context.record_comm(), values);
    SynchronisationRecord record;
    record.repeat = trial.repeat;
    record.algorithm = trial.algorithm;
    if (context.is_root()) {
        record.elapsed_s = *std::max_element(columns[0].begin(), columns[0].end());
        record.messages = static_cast<std::uint64_t>(std::accumulate(columns[1].begin(), columns[1].end(), 0.0));
        record.slope = std::move(columns[2]);
        record.intercept_s = std::move(columns[3]);
        record.slope_error = std::move(columns[4]);
        record.intercept_error_s = std::move(columns[5]);
        if (std::any_of(columns[6].begin(), columns[6].end(), [](double low) { return !std::isnan(low); })) {
            record.confidence = {std::move(columns[6]), std::move(columns[7]), std::move(columns[8]),
                                 std::move(columns[9])};
        }
    }
    return record;
}

KnownErrors known_errors(LaunchContext& context, KnownClock& clock, const Trial& trial,
                         const std::vector<double>& waits_s) {
    const double frequency = control::broadcast_value(context.transport(), context.clock().frequency_hz());
    KnownErrors errors;
    std::vector<double> values;
    std::vector<double> bounds;
    for (const double wait : waits_s) {
        const std::int64_t instant = trial.ended_counter + std::llround(wait * frequency);
        const LocalTime local = clock.at(instant);
        errors.at_s.push_back(static_cast<double>(instant - context.clock().epoch()) / frequency);
        values.push_back(trial.own.model.to_global(local).s);
        bounds.push_back(trial.own.bound(local));
    }
    values.insert(values.end(), bounds.begin(), bounds.end());
    Matrix columns = gather_columns(context.record_comm(), values);
    errors.error_s = take_front(columns, waits_s.size());
    errors.bound_s = std::move(columns);
    for (std::vector<double>& globals : errors.error_s) {
        const double root = globals.empty() ? 0.0 : globals.front();
        for (double& global : globals) {
            global -= root;
        }
    }
    return errors;
}

CheckedErrors checked_errors(LaunchContext& context, const Trial& trial) {
    const std::size_t n = trial.checks.size();
    std::vector<double> values(4 * n, undefined);
    for (std::size_t wait = 0; wait < n; ++wait) {
        if (const auto& check = trial.checks[wait]) {
            values[wait] = check->root_time - trial.ended_root;
            values[n + wait] = check->error_s;
            values[2 * n + wait] = check->half_width_s;
            values[3 * n + wait] = trial.own.bound(check->local_time);
        }
    }
    Matrix columns = gather_columns(context.record_comm(), values);
    CheckedErrors errors;
    errors.waited_s = take_front(columns, n);
    errors.error_s = take_front(columns, n);
    errors.half_width_s = take_front(columns, n);
    errors.bound_s = std::move(columns);
    return errors;
}

void CheckSchedule::add(Trial& trial) {
    trial.checks.resize(plan_.waits_s.size());
    for (std::size_t wait = 0; !ranks_.empty() && wait < plan_.waits_s.size(); ++wait) {
        pending_.push_back({trial.ended_root + plan_.waits_s[wait], n_trials_, wait});
    }
    ++n_trials_;
}

void CheckSchedule::perform_due(std::vector<Trial>& trials) {
    const ReferenceTime now = control::broadcast_value(transport_, as_reference(transport_.now()));
    const auto is_due = [&](const PendingCheck& one) { return one.root_time <= now; };
    if (std::none_of(pending_.begin(), pending_.end(), is_due)) {
        return;
    }
    const CheckRounds rounds = check_by_ping_pong(transport_, ranks_, plan_.check);
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
