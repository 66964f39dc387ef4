// `barriers skew`: how far apart ranks leave a start. All enter at a common instant (the start of a window), so that
// exits do not merely show arrivals. Layout: file-format.md, skew.json.
#include "barrier/barrier.hpp"
#include "base/random.hpp"
#include "clocksync/clocksync.hpp"
#include "measure/calibration.hpp"
#include "measure/case_measurement.hpp"
#include "study/exit_attempts.hpp"
#include "study/exit_profile.hpp"
#include "study/study.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr Option exit_skew_options[] = {
    option::ranks,
    option::clock,
    option::clock_domain,
    option::member("clocksync", defaults::clocksync, "how the clocks that time the exits are synchronised",
                   &clocksync::family),
    option::member("procsync", "barrier(library),barrier(dissemination)",
                   "what the ranks enter together and then leave, as a process synchronisation", &procsync::family)
        .list(),
    option::member("entry", "window(batch=1)", "what brings the ranks to the common instant at which they enter",
                   &procsync::family),
    option::duration("entry-tolerance", "5us", "an attempt is not counted if its ranks entered further apart than this",
                     {0, 3600}),
    option::member("repetition", "fixed(nrep=100)", "how often each start is entered", &repetition::family),
    option::count("warmup", "20", "first entries of each start, which are not counted", {.maximum = 1e6}),
    option::duration("waits", "0", "times after the clocks were synchronised at which every start is measured",
                     {0, 1e6})
        .list(),
    option::flag("left-alone", "off",
                 "clocks run on as they were synchronised; otherwise they are measured again while time passes, as "
                 "often as in a campaign"),
    study::seed("seed of the order of the starts"),
    study::output,
};

/// How long a barrier of our own takes.
double barrier_latency(Transport& transport) {
    constexpr int probes = 20;
    const auto barrier = barrier::make_own();
    std::vector<double> latencies;
    for (int i = 0; i < probes; ++i) {
        const LocalTime begin = transport.now();
        barrier->wait(transport);
        latencies.push_back(transport.now() - begin);
    }
    return longest_undisturbed(transport, std::move(latencies));
}

/// A point of a start, such as its exit, over the repetitions; seconds. Collective.
struct PassingTimes {
    PassingTimes(LaunchContext& context, std::span<const double> own_s) : first_s(own_s.size()) {
        std::vector<double> extremes(own_s.begin(), own_s.end());
        std::ranges::transform(own_s, std::back_inserter(extremes), std::negate());
        control::reduce_largest(context.transport(), extremes);
        control::broadcast(context.transport(), std::as_writable_bytes(std::span(extremes)));
        const auto negated = extremes.begin() + static_cast<std::ptrdiff_t>(own_s.size());
        std::transform(negated, extremes.end(), first_s.begin(), std::negate());
        last_s.assign(extremes.begin(), negated);
        // Each rank computes its own part, for the times of all ranks would not fit rank 0.
        const ExitDelay own = delay_after(own_s, first_s);
        ranks = gather_named(context.record_comm(), {{"mean_s", own.mean_s}, {"sd_s", own.sd_s}});
    }

    void write(record::JsonWriter& json, std::string_view name) const {
        json.key(name).begin_object();
        write_lists(json, ranks);
        json.list("skew_s", differences(last_s, first_s)).end_object();
    }

    std::vector<double> first_s; ///< the first rank's of each repetition, ...
    std::vector<double> last_s;  ///< ... and the last one's
    std::vector<RankNumbers> ranks;
};

/// Of the valid attempts in one time scale. Complete on rank 0.
struct ExitAccount {
    PassingTimes entry;
    PassingTimes exit;

    void write(record::JsonWriter& json) const {
        entry.write(json, "entry");
        exit.write(json, "exit");
        json.list("duration_s", differences(exit.last_s, entry.first_s));
    }
};

/// Collective: each counter converted by `time_of`.
template <class TimeOf>
ExitAccount account(LaunchContext& context, const std::vector<ExitAttempt>& attempts, TimeOf time_of) {
    std::vector<double> entered_s;
    std::vector<double> left_s;
    for (const ExitAttempt& one : attempts) {
        if (one.is_valid()) {
            entered_s.push_back(time_of(one.entered));
            left_s.push_back(time_of(one.left));
        }
    }
    return {{context, entered_s}, {context, left_s}};
}

/// One start, measured.
struct StartRecord {
    std::size_t start; ///< index among the starts
    double wait_s;     ///< since the clocks were synchronised, as asked for
    AttemptCounts counts;
    double elapsed_s;
    double clock_bound_s;                ///< proven, of any rank's global clock; NaN: none
    std::optional<ExitAccount> measured; ///< on the global clock
    std::optional<ExitAccount> truth;    ///< on the counter that all ranks read, where they do
};

class ExitSkewStudy final : public Study {
public:
    explicit ExitSkewStudy(const OptionValues& values)
        : names_(values.words("procsync")), starts_(values.members("procsync")), entry_(values.member("entry")),
          entry_tolerance_s_(values.duration("entry-tolerance")), repetition_(values.member("repetition")),
          warmup_(values.count("warmup")), waits_s_(values.durations("waits")), left_alone_(values.flag("left-alone")),
          seed_(values.count("seed")) {}

    void check(LaunchContext& context) override {
        if (!context.clocksync().synchronises()) {
            throw PlanError(
                "option 'clocksync': exits are compared on a global clock, and 'none' gives none; use ictus or hca3");
        }
        (void)context.make_start(entry_);
        if (repetition::registry().make(repetition_)->evidence() != Repetition::Evidence::counts) {
            throw PlanError("option 'repetition': '" + std::string(repetition_.info().name) +
                            "' looks at time or latencies, and this study counts exits; use fixed");
        }
        for (const Bound& start : starts_) {
            (void)context.make_start(start);
        }
    }

    void measure(LaunchContext& context) override {
        KnownClock clock(context.clock());
        if (may_share_a_counter(context.transport().locations())) {
            shared_ = measure_shared_counter(context, clock).shared;
        }
        made_.resize(starts_.size());
        Clocks clocks{open_block(context), {}};
        const LocalTime begin = clocks.synchronised = clocks.opening.at;
        for (std::size_t wait = 0; wait < waits_s_.size(); ++wait) {
            pass_time(context, begin + waits_s_[wait], clocks);
            for (const std::uint64_t index : shuffled_order(starts_.size(), SplitMix64::mix(seed_) + wait)) {
                renew_if_stale(context, clocks);
                measure_start(context, index, waits_s_[wait], clock, clocks);
            }
        }
    }

    [[nodiscard]] std::vector<std::string> remarks() const override {
        std::vector<std::string> found;
        for (const StartRecord& one : records_) {
            if (auto remark = one.counts.remark(names_[one.start])) {
                found.push_back(std::move(*remark));
            }
        }
        return found;
    }

    void write(record::JsonWriter& json) const override {
        json.member("entry", to_string(entry_.spec())).member("entry_tolerance_s", entry_tolerance_s_);
        json.member("repetition", to_string(repetition_.spec())).member("counter_shared", shared_);
        json.member("left_alone", left_alone_);
        json.array("starts", records_, [&](const StartRecord& one) {
            json.begin_object().member("name", names_[one.start]).member("wait_s", one.wait_s);
            json.member("spec", to_string(starts_[one.start].spec()));
            json.member("attempted", one.counts.attempted).member("late_entry", one.counts.late_entry);
            json.member("missed", one.counts.missed).member("valid", one.counts.valid);
            json.member("elapsed_s", one.elapsed_s).member("clock_bound_s", one.clock_bound_s);
            const auto write_account = [&](const ExitAccount& account) { account.write(json); };
            json.object("measured", one.measured, write_account).object("true", one.truth, write_account);
            json.end_object();
        });
    }

private:
    /// The measurement of the clocks that is in force, and when they were synchronised last.
    struct Clocks {
        Calibration opening;
        LocalTime synchronised;
    };

    /// The clocks run on by what their measurement found, unless they are left alone.
    void carry_on(LaunchContext& context, Clocks& clocks, const Closing& closing) const {
        if (!left_alone_) {
            clocks.opening = reanchored(clocks.opening, closing);
            context.global_clock().set_model(clocks.opening.result.model);
        }
    }

    void renew_if_stale(LaunchContext& context, Clocks& clocks) const {
        if (!left_alone_ && is_stale(context.transport(), clocks.synchronised)) {
            clocks.opening = open_block(context);
            clocks.synchronised = clocks.opening.at;
        }
    }

    /// Until a local time, in blocks as a launch has them.
    void pass_time(LaunchContext& context, LocalTime until, Clocks& clocks) const {
        Transport& transport = context.transport();
        const double block_s = LaunchPlan().block_time_s;
        while (!left_alone_ && control::broadcast_value(transport, until - transport.now() > block_s)) {
            transport.wait_until(transport.now() + block_s);
            carry_on(context, clocks, close_block(context, clocks.opening));
            renew_if_stale(context, clocks);
        }
        transport.wait_until(until);
    }

    /// Made and warmed up when it is measured first: a start with a clock of its own keeps that over the waits.
    ProcSync& start_of(LaunchContext& context, std::size_t index, const Entrance& entrance) {
        std::unique_ptr<ProcSync>& start = made_[index];
        if (!start) {
            start = context.make_start(starts_[index]);
            start->prepare(entrance.latency_s);
            (void)attempt_exits(entrance, *start, warmup_);
            start->prepare(entrance.latency_s); // the warm-up may have spent the time that the start has for a case
        }
        return *start;
    }

    /// One start between two measurements of the clocks, of which the second is in force then.
    void measure_start(LaunchContext& context, std::size_t index, double wait_s, KnownClock& clock, Clocks& clocks) {
        Transport& transport = context.transport();
        const LocalTime begin = transport.now();
        const auto entry = context.make_start(entry_);
        const double latency_s = barrier_latency(transport);
        entry->prepare(latency_s);
        const Entrance entrance{transport, context.global_clock(), clock, *entry, latency_s, entry_tolerance_s_};
        ProcSync& start = start_of(context, index, entrance);
        const auto repetition = repetition::registry().make(repetition_);
        const std::vector<ExitAttempt> attempts = attempt_exits(entrance, start, *repetition);

        const Closing closing = close_block(context, clocks.opening);
        const ClockModel model = model_between(clocks.opening, closing);
        const double bound_s = control::largest(transport, bound_between(clocks.opening, closing));
        StartRecord record{index, wait_s, AttemptCounts(attempts), 0.0, bound_s, {}, {}};
        record.measured =
            account(context, attempts, [&](std::int64_t counter) { return model.to_global(clock.at(counter)).s; });
        if (shared_.value_or(false)) { // seconds of the counter since rank 0's epoch
            const auto origin = control::broadcast_value(transport, context.clock().epoch());
            const double frequency = control::broadcast_value(transport, context.clock().frequency_hz());
            record.truth = account(context, attempts, [&](std::int64_t counter) {
                return static_cast<double>(counter - origin) / frequency;
            });
        }
        record.elapsed_s = transport.now() - begin;
        records_.push_back(std::move(record));
        carry_on(context, clocks, closing);
    }

    std::vector<std::string> names_; ///< of the starts, as the user wrote them
    std::vector<Bound> starts_;
    Bound entry_;                 ///< brings the ranks to the common instant
    double entry_tolerance_s_;    ///< ranks that entered further apart than this did not enter together
    Bound repetition_;            ///< how often each is entered
    std::uint64_t warmup_;        ///< entries that are not counted, for each start
    std::vector<double> waits_s_; ///< ascending
    bool left_alone_;
    std::uint64_t seed_;
    std::vector<std::unique_ptr<ProcSync>> made_; ///< the starts, as far as they were measured
    std::optional<bool> shared_;                  ///< whether all ranks read one counter; absent where they could not
    std::vector<StartRecord> records_;            ///< in the order in which they were measured
};

} // namespace

namespace study {
extern const StudyMember exit_skew;
const StudyMember exit_skew = {"barriers",
                               "skew",
                               "how far apart ranks leave a barrier, or any start, that they entered together",
                               "skew",
                               exit_skew_options,
                               make<ExitSkewStudy>};
} // namespace study

} // namespace ictus
