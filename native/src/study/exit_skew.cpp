#include "study/exit_skew.hpp"

#include "barrier/barrier.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/summary.hpp"
#include "measure/calibration.hpp"
#include "procsync/procsync.hpp"
#include "study/exit_attempts.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr double resync_time_s = 60.0; // as in a launch: an older slope is learnt anew

std::unique_ptr<ProcSync> make_start(LaunchContext& context, const Bound& bound) {
    return procsync::registry().make(bound,
                                     {context.transport(), context.global_clock(), context.clocksync().synchronises()});
}

/// Names that only fail when they are used must fail before anything is measured.
void check_starts(LaunchContext& context, const ExitSkewPlan& plan) {
    if (!context.clocksync().synchronises()) {
        throw PlanError(
            "option 'clocksync': exits are compared on a global clock, and 'none' gives none; use ictus or hca3");
    }
    try {
        (void)make_start(context, plan.entry);
        if (repetition::registry().make(plan.repetition)->evidence() != Repetition::Evidence::counts) {
            throw usage_error("option 'repetition': '" + std::string(plan.repetition.info().name) +
                              "' looks at time or latencies, and this study counts exits; use fixed");
        }
        for (const Bound& start : plan.starts) {
            (void)make_start(context, start);
        }
    } catch (const Error& error) { // nothing here depends on the rank
        throw PlanError(error.what());
    }
}

/// How long a barrier of our own takes.
double barrier_latency(Transport& transport) {
    constexpr int probes = 20;
    const auto barrier = barrier::registry().make(bind(barrier::family(), {"dissemination", {}}));
    std::vector<double> latencies;
    for (int i = 0; i < probes; ++i) {
        const LocalTime begin = transport.now();
        barrier->wait(transport);
        latencies.push_back(transport.now() - begin);
    }
    control::reduce(transport, std::span<double>(latencies),
                    [](double& into, double from) { into = std::max(into, from); });
    return control::broadcast_value(transport, largest_undisturbed(latencies));
}

/// The smallest or largest of all ranks' values, one by one, on all ranks.
template <class Choose>
std::vector<double> over_ranks(Transport& transport, std::vector<double> own, Choose choose) {
    control::reduce(transport, std::span(own), [choose](double& into, double from) { into = choose(into, from); });
    control::broadcast(transport, std::as_writable_bytes(std::span(own)));
    return own;
}

/// A point of a start, such as its exit: this rank's time in each repetition, the first rank's and the last one's.
struct PassingTimes {
    std::vector<double> own_s;
    std::vector<double> first_s;
    std::vector<double> last_s;
};

PassingTimes passing_times(Transport& transport, std::vector<double> own_s) {
    PassingTimes times{std::move(own_s), {}, {}};
    times.first_s = over_ranks(transport, times.own_s, [](double a, double b) { return std::min(a, b); });
    times.last_s = over_ranks(transport, times.own_s, [](double a, double b) { return std::max(a, b); });
    return times;
}

/// Collective; each rank computes its own part, for the times of all ranks would not fit rank 0.
ExitProfile profile(LaunchContext& context, const PassingTimes& times) {
    const ExitDelay own = delay_after(times.own_s, times.first_s);
    const double values[] = {own.mean_s, own.sd_s};
    auto columns = gather_columns(context.record_comm(), values);
    return {std::move(columns[0]), std::move(columns[1]), differences(times.last_s, times.first_s)};
}

/// Collective: of the valid attempts, each counter converted by `time_of`. Complete on rank 0.
template <class TimeOf>
ExitAccount account(LaunchContext& context, const std::vector<ExitAttempt>& attempts, TimeOf time_of) {
    std::vector<double> entered_s;
    std::vector<double> left_s;
    for (const ExitAttempt& one : attempts) {
        if (one.entry_flags == 0 && one.start_flags == 0) {
            entered_s.push_back(time_of(one.entered));
            left_s.push_back(time_of(one.left));
        }
    }
    const PassingTimes entries = passing_times(context.transport(), std::move(entered_s));
    const PassingTimes exits = passing_times(context.transport(), std::move(left_s));
    return {profile(context, entries), profile(context, exits), differences(exits.last_s, entries.first_s)};
}

/// Seconds of the counter since rank 0's epoch.
class CounterTime {
public:
    explicit CounterTime(LaunchContext& context)
        : origin_(control::broadcast_value(context.transport(), context.clock().epoch())),
          frequency_(control::broadcast_value(context.transport(), context.clock().frequency_hz())) {}
    [[nodiscard]] double operator()(std::int64_t counter) const {
        return static_cast<double>(counter - origin_) / frequency_;
    }

private:
    std::int64_t origin_;
    double frequency_;
};

void count_attempts(const std::vector<ExitAttempt>& attempts, StartRecord& record) {
    record.attempted = attempts.size();
    for (const ExitAttempt& one : attempts) {
        record.late_entry += one.entry_flags != 0 ? 1 : 0;
        record.missed += one.entry_flags == 0 && one.start_flags != 0 ? 1 : 0;
    }
    record.valid = record.attempted - record.late_entry - record.missed;
}

/// One start between two measurements of the clocks. `opening` becomes the next one's.
StartRecord measure_start(LaunchContext& context, const ExitSkewPlan& plan, std::size_t index, KnownClock& clock,
                          bool shared, Calibration& opening) {
    Transport& transport = context.transport();
    const LocalTime begin = transport.now();
    const auto entry = make_start(context, plan.entry);
    const auto start = make_start(context, plan.starts[index]);
    const double latency_s = barrier_latency(transport);
    entry->prepare(latency_s);
    start->prepare(latency_s);
    const Entrance entrance{transport, context.global_clock(), clock, *entry, latency_s, plan.entry_tolerance_s};
    (void)attempt_exits(entrance, *start, plan.warmup);
    start->prepare(latency_s); // the warm-up may have spent the time that the start has for a case
    const auto repetition = repetition::registry().make(plan.repetition);
    const std::vector<ExitAttempt> attempts = attempt_exits(entrance, *start, *repetition);

    const Closing closing = close_block(context, opening);
    const ClockModel model = model_between(opening, closing);
    StartRecord record;
    record.start = index;
    count_attempts(attempts, record);
    record.clock_bound_s = control::largest(transport, bound_between(opening, closing));
    record.measured =
        account(context, attempts, [&](std::int64_t counter) { return model.to_global(clock.at(counter)).s; });
    if (shared) {
        record.truth = account(context, attempts, CounterTime(context));
    }
    record.elapsed_s = transport.now() - begin;
    opening = reanchored(opening, closing);
    context.global_clock().set_model(opening.result.model);
    return record;
}

} // namespace

std::vector<std::string> remarks(const ExitSkewPlan& plan, const ExitSkewResult& result) {
    std::vector<std::string> found;
    for (const StartRecord& one : result.starts) {
        if (one.attempted == 0) {
            found.push_back("start " + plan.names[one.start] +
                            ": no result, because it ended every case before the first attempt");
        }
    }
    return found;
}

ExitSkewResult run_exit_skew(LaunchContext& context, const ExitSkewPlan& plan) {
    check_starts(context, plan);
    Transport& transport = context.transport();
    KnownClock clock(context.clock());
    ExitSkewResult result;
    if (may_share_a_counter(transport.locations())) {
        result.counter = measure_shared_counter(context, clock);
    }
    const bool shared = result.counter && result.counter->shared;
    Calibration opening = open_block(context);
    LocalTime synchronised = opening.at;
    for (const std::uint64_t index : shuffled_order(plan.starts.size(), SplitMix64::mix(plan.seed))) {
        const bool stale = transport.now() - synchronised >= resync_time_s;
        if (control::broadcast_value(transport, static_cast<std::uint8_t>(stale)) != 0) { // rank 0 decides for all
            opening = open_block(context);
            synchronised = opening.at;
        }
        result.starts.push_back(measure_start(context, plan, index, clock, shared, opening));
    }
    return result;
}

namespace {

using record::JsonWriter;

void write_profile(JsonWriter& json, const char* name, const ExitProfile& profile) {
    json.key(name).begin_object();
    json.list("mean_s", profile.mean_s).list("sd_s", profile.sd_s).list("skew_s", profile.skew_s).end_object();
}

void write_account(JsonWriter& json, const char* name, const std::optional<ExitAccount>& account) {
    json.key(name);
    if (!account) {
        json.null();
        return;
    }
    json.begin_object();
    write_profile(json, "entry", account->entry);
    write_profile(json, "exit", account->exit);
    json.list("duration_s", account->duration_s).end_object();
}

} // namespace

void write(JsonWriter& json, const ExitSkewPlan& plan, const ExitSkewResult& result) {
    json.member("entry", to_string(plan.entry.spec())).member("entry_tolerance_s", plan.entry_tolerance_s);
    json.member("repetition", to_string(plan.repetition.spec()));
    json.key("counter_shared");
    if (result.counter) {
        json.value(result.counter->shared);
    } else {
        json.null();
    }
    json.key("starts").begin_array();
    for (const StartRecord& one : result.starts) {
        json.begin_object().member("name", plan.names[one.start]);
        json.member("spec", to_string(plan.starts[one.start].spec()));
        json.member("attempted", one.attempted).member("late_entry", one.late_entry);
        json.member("missed", one.missed).member("valid", one.valid);
        json.member("elapsed_s", one.elapsed_s).member("clock_bound_s", one.clock_bound_s);
        write_account(json, "measured", one.measured);
        write_account(json, "true", one.truth);
        json.end_object();
    }
    json.end_array();
}

} // namespace ictus
