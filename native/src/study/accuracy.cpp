#include "study/accuracy.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/summary.hpp"
#include "study/trial.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {

BarrierTime measure_barrier(Transport& transport, std::uint64_t calls) {
    constexpr int warm_ups = 10;
    for (int i = 0; i < warm_ups && calls > 0; ++i) {
        transport.library_barrier();
    }
    std::vector<double> durations;
    for (std::uint64_t i = 0; i < calls; ++i) {
        const LocalTime begin = transport.now();
        transport.library_barrier();
        durations.push_back(transport.now() - begin);
    }
    control::reduce(transport, std::span(durations), [](double& into, double from) { into = std::max(into, from); });
    const Summary summary = summarise(durations);
    return {calls, summary.mean, summary.median};
}

namespace {

/// How the errors are measured; the same on all ranks.
struct TruthSources {
    bool known = false;
    bool ping_pong = false;
};

TruthSources choose_sources(LaunchContext& context, const AccuracyPlan& plan, KnownClock& clock,
                            AccuracyResult& result) {
    TruthSources sources;
    if (plan.truth == AccuracyPlan::Truth::known || may_share_a_counter(context.transport().locations())) {
        result.counter = measure_shared_counter(context, clock);
        sources.known = result.counter->shared;
    }
    if (!sources.known && plan.truth == AccuracyPlan::Truth::known) {
        throw PlanError("option 'truth': the ranks do not read one counter, so that the true errors cannot be known; "
                        "use ping-pong");
    }
    sources.ping_pong = !sources.known || plan.truth == AccuracyPlan::Truth::ping_pong;
    return sources;
}

/// Libraries connect two processes at their first message, which is no part of any algorithm.
void connect(Transport& transport) {
    const auto bound = bind(clocksync::family(), {"hca3-offset", {}});
    (void)clocksync::registry().make(bound)->synchronise(transport);
}

void check_algorithms(const AccuracyPlan& plan) {
    try {
        for (const Bound& algorithm : plan.algorithms) {
            (void)clocksync::registry().make(algorithm);
        }
    } catch (const Error& error) { // nothing here depends on the rank
        throw PlanError(error.what());
    }
}

/// All algorithms once. All models are of the same clocks, so a late check of one does not depend on the algorithms
/// that synchronised after it.
void run_repeat(LaunchContext& context, const AccuracyPlan& plan, std::uint64_t repeat, TruthSources sources,
                KnownClock& clock, AccuracyResult& result) {
    std::vector<Trial> trials;
    CheckSchedule schedule(context.transport(), result.checked, plan);
    for (const std::uint64_t index : shuffled_order(plan.algorithms.size(), SplitMix64::mix(plan.seed) + repeat)) {
        trials.push_back(synchronise(context.transport(), clock, sources.known, plan.algorithms[index]));
        trials.back().repeat = repeat;
        trials.back().algorithm = index;
        if (sources.ping_pong) {
            schedule.add(trials.back());
            schedule.perform_due(trials);
        }
    }
    schedule.perform_all(trials);
    for (const Trial& trial : trials) {
        SynchronisationRecord record = record_of(context, trial);
        if (sources.known) {
            record.known = known_errors(context, clock, trial, plan.waits_s);
        }
        if (sources.ping_pong) {
            record.ping_pong = checked_errors(context, trial);
        }
        result.synchronisations.push_back(std::move(record));
    }
}

} // namespace

AccuracyResult run_accuracy(LaunchContext& context, const AccuracyPlan& plan) {
    check_algorithms(plan);
    KnownClock clock(context.clock());
    AccuracyResult result;
    const TruthSources sources = choose_sources(context, plan, clock, result);
    result.judged_by_ping_pong = sources.ping_pong;
    if (sources.ping_pong) {
        result.checked = sampled_ranks(context.size(), plan.check.sample);
    }
    result.barrier = measure_barrier(context.transport(), plan.barriers);
    connect(context.transport());
    for (std::uint64_t repeat = 0; repeat < plan.repeats; ++repeat) {
        run_repeat(context, plan, repeat, sources, clock, result);
    }
    return result;
}

namespace {

using record::JsonWriter;

void write_matrix(JsonWriter& json, const char* name, const Matrix& matrix) {
    json.key(name).begin_array();
    for (const std::vector<double>& row : matrix) {
        json.begin_array(JsonWriter::Spacing::line);
        for (const double value : row) {
            json.value(value);
        }
        json.end_array();
    }
    json.end_array();
}

void write_counter(JsonWriter& json, const std::optional<SharedCounter>& counter) {
    json.key("counter");
    if (!counter) {
        json.null();
        return;
    }
    json.begin_object().member("shared", counter->shared);
    json.list("offset_s", counter->offset_s).list("half_width_s", counter->half_width_s).end_object();
}

void write_algorithms(JsonWriter& json, const AccuracyPlan& plan) {
    json.key("algorithms").begin_array();
    for (std::size_t i = 0; i < plan.algorithms.size(); ++i) {
        json.begin_object().member("name", plan.names[i]).member("spec", to_string(plan.algorithms[i].spec()));
        json.member("synchronises", clocksync::registry().make(plan.algorithms[i])->synchronises()).end_object();
    }
    json.end_array();
}

void write_synchronisation(JsonWriter& json, const SynchronisationRecord& one) {
    json.begin_object().member("repeat", one.repeat).member("algorithm", one.algorithm);
    json.member("elapsed_s", one.elapsed_s).member("messages", one.messages);
    json.list("slope", one.slope).list("intercept_s", one.intercept_s).list("slope_error", one.slope_error);
    json.list("intercept_error_s", one.intercept_error_s).key("confidence");
    if (one.confidence) {
        json.begin_object().list("slope_low", one.confidence->slope_low);
        json.list("slope_high", one.confidence->slope_high);
        json.list("intercept_low_s", one.confidence->intercept_low_s);
        json.list("intercept_high_s", one.confidence->intercept_high_s).end_object();
    } else {
        json.null();
    }
    json.key("known");
    if (one.known) {
        json.begin_object().list("at_s", one.known->at_s);
        write_matrix(json, "error_s", one.known->error_s);
        write_matrix(json, "bound_s", one.known->bound_s);
        json.end_object();
    } else {
        json.null();
    }
    json.key("ping_pong");
    if (one.ping_pong) {
        json.begin_object();
        write_matrix(json, "waited_s", one.ping_pong->waited_s);
        write_matrix(json, "error_s", one.ping_pong->error_s);
        write_matrix(json, "half_width_s", one.ping_pong->half_width_s);
        write_matrix(json, "bound_s", one.ping_pong->bound_s);
        json.end_object();
    } else {
        json.null();
    }
    json.end_object();
}

} // namespace

void write(JsonWriter& json, const AccuracyPlan& plan, const AccuracyResult& result) {
    json.member("truth", result.judged_by_ping_pong ? "ping-pong" : "known");
    write_counter(json, result.counter);
    json.key("barrier").begin_object(JsonWriter::Spacing::line).member("calls", result.barrier.calls);
    json.member("mean_s", result.barrier.mean_s).member("median_s", result.barrier.median_s).end_object();
    json.list("waits_s", plan.waits_s).list("checked", result.checked);
    write_algorithms(json, plan);
    json.key("synchronisations").begin_array();
    for (const SynchronisationRecord& one : result.synchronisations) {
        write_synchronisation(json, one);
    }
    json.end_array();
}

} // namespace ictus
