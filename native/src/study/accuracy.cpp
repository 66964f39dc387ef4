// `clocks accuracy`: every algorithm synchronises repeatedly, in shuffled order. The error of every rank's global clock
// is measured at given times after each synchronisation. Layout: file-format.md, clocks.json, accuracy.
#include "base/random.hpp"
#include "base/summary.hpp"
#include "study/study.hpp"
#include "study/trial.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <iterator>

namespace ictus {
namespace {

constexpr Option accuracy_options[] = {
    option::ranks,
    option::clock,
    option::clock_domain,
    option::member("clocksync", "hca3-offset,hca3,ictus", "algorithms to examine", &clocksync::family).list(),
    option::duration("waits", "0,1s,2s,3s,4s,5s,6s,7s,8s,9s,10s,11s,12s,13s,14s,15s,16s,17s,18s,19s,20s",
                     "times after each synchronisation at which the error is measured; errors that are known are "
                     "computed, without waiting",
                     {0, 1e6})
        .list(),
    option::choice("truth", "auto",
                   "known: all ranks are taken to read one counter, on whichever hosts they are (verified), so that "
                   "the errors are known; ping-pong: errors are checked by round trips in any case; auto: known where "
                   "the ranks of one host or simulator read one counter, else ping-pong",
                   "auto known ping-pong"),
    option::count("rounds", "10", "ping-pong: rounds of a check; the smallest error counts", {1, 1e6}),
    option::duration("round-gap", "0", "ping-pong: pause between the rounds", {0, 3600}),
    option::count("exchanges", "100", "ping-pong: round trips of a round", {1, 1e6}),
    option::real("sample", "1",
                 "ping-pong: share of the ranks that are checked, half from the middle and half from the high end; at "
                 "least one rank",
                 {0, 1}),
    option::count("repeats", "1", "how often each algorithm synchronises, each time in another order", {1, 1e6}),
    option::count("barriers", "1000", "calls of MPI_Barrier for the baseline", {.maximum = 1e6}),
    study::seed("seed of the order of the algorithms"),
    study::output,
};

/// The duration of the library's own barrier, the baseline of the Pareto figure, on rank 0. A call lasts as long as on
/// its slowest rank. NaN for no calls. Collective.
Summary measure_barrier(Transport& transport, std::uint64_t calls) {
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
    control::reduce_largest(transport, durations);
    return summarise(std::move(durations));
}

/// Libraries connect two processes at their first message, which is no part of any algorithm.
void connect(Transport& transport) {
    const auto bound = bind(clocksync::family(), {"hca3-offset", {}});
    (void)clocksync::registry().make(bound)->synchronise(transport);
}

/// The columns of these ranks: of 16,384 ranks mostly few are checked.
std::vector<RankNumbers> of_ranks(std::span<const RankNumbers> numbers, std::span<const int> ranks) {
    std::vector<RankNumbers> chosen;
    for (const RankNumbers& one : numbers) {
        Matrix& rows = chosen.emplace_back(RankNumbers{one.name, {}}).rows;
        for (const std::vector<double>& row : one.rows) {
            std::vector<double>& own = rows.emplace_back();
            std::ranges::transform(ranks, std::back_inserter(own),
                                   [&](int rank) { return row[static_cast<std::size_t>(rank)]; });
        }
    }
    return chosen;
}

class AccuracyStudy final : public Study {
public:
    explicit AccuracyStudy(const OptionValues& values)
        : names_(values.words("clocksync")), algorithms_(values.members("clocksync")),
          waits_s_(values.durations("waits")), truth_(values.text("truth")),
          settings_{values.count("rounds"), values.count("exchanges"), values.duration("round-gap"),
                    values.real("sample")},
          repeats_(values.count("repeats")), barriers_(values.count("barriers")), seed_(values.count("seed")) {}

    void check(LaunchContext&) override {
        for (const Bound& algorithm : algorithms_) {
            (void)clocksync::registry().make(algorithm);
        }
    }

    void measure(LaunchContext& context) override {
        KnownClock clock(context.clock());
        choose_sources(context, clock);
        barrier_ = measure_barrier(context.transport(), barriers_);
        connect(context.transport());
        for (std::uint64_t repeat = 0; repeat < repeats_; ++repeat) {
            run_repeat(context, repeat, clock);
        }
    }

    void write(record::JsonWriter& json) const override {
        json.member("truth", by_ping_pong_ ? "ping-pong" : "known");
        json.object("counter", counter_, [&](const SharedCounter& counter) {
            json.member("shared", counter.shared);
            write_lists(json, counter.intervals);
        });
        json.key("barrier").begin_object(record::JsonWriter::Spacing::line).member("calls", barriers_);
        json.member("mean_s", barrier_.mean).member("median_s", barrier_.median).end_object();
        json.list("waits_s", waits_s_).list("checked", checked_).key("algorithms").begin_array();
        for (std::size_t i = 0; i < algorithms_.size(); ++i) {
            json.begin_object().member("name", names_[i]).member("spec", to_string(algorithms_[i].spec()));
            json.member("synchronises", clocksync::registry().make(algorithms_[i])->synchronises()).end_object();
        }
        json.end_array().array("synchronisations", records_, [&](const TrialRecord& one) {
            json.begin_object().member("repeat", one.repeat).member("algorithm", one.algorithm);
            json.member("elapsed_s", one.elapsed_s).member("messages", one.messages);
            write_lists(json, one.model);
            json.object("confidence", one.confidence, [&](const auto& ends) { write_lists(json, ends); });
            json.object("known", one.known, [&](const auto& errors) {
                json.list("at_s", one.known_at_s);
                write_matrices(json, errors);
            });
            json.object("ping_pong", one.ping_pong,
                        [&](const auto& errors) { write_matrices(json, of_ranks(errors, checked_)); });
            json.end_object();
        });
    }

private:
    [[nodiscard]] bool is_known() const { return counter_ && counter_->shared; }

    /// How the errors are measured; the same on all ranks.
    void choose_sources(LaunchContext& context, KnownClock& clock) {
        if (truth_ == "known" || may_share_a_counter(context.transport().locations())) {
            counter_ = measure_shared_counter(context, clock);
        }
        if (!is_known() && truth_ == "known") {
            throw PlanError("option 'truth': the ranks do not read one counter, so that the true errors cannot be "
                            "known; use ping-pong");
        }
        by_ping_pong_ = !is_known() || truth_ == "ping-pong";
        if (by_ping_pong_) {
            checked_ = sampled_ranks(context.size(), settings_.sample);
        }
    }

    /// All algorithms once. All models are of the same clocks, so a late check of one does not depend on the algorithms
    /// that synchronised after it.
    void run_repeat(LaunchContext& context, std::uint64_t repeat, KnownClock& clock) {
        std::vector<Trial> trials;
        CheckSchedule schedule(context.transport(), checked_, waits_s_, settings_);
        for (const std::uint64_t index : shuffled_order(algorithms_.size(), SplitMix64::mix(seed_) + repeat)) {
            trials.push_back(synchronise(context.transport(), clock, is_known(), algorithms_[index]));
            trials.back().repeat = repeat;
            trials.back().algorithm = index;
            if (by_ping_pong_) {
                schedule.add(trials.back());
                schedule.perform_due(trials);
            }
        }
        schedule.perform_all(trials);
        for (const Trial& trial : trials) {
            TrialRecord record = record_of(context, trial);
            if (is_known()) {
                add_known_errors(record, context, clock, trial, waits_s_);
            }
            if (by_ping_pong_) {
                add_checked_errors(record, context, trial);
            }
            records_.push_back(std::move(record));
        }
    }

    std::vector<std::string> names_; ///< of the algorithms, as the user wrote them
    std::vector<Bound> algorithms_;
    std::vector<double> waits_s_; ///< ascending
    std::string truth_; ///< `known` refuses to run where the truth cannot be known; `ping-pong` checks in any case, so
                        ///< that the check can be judged where the truth is known
    PingPongSettings settings_;
    std::uint64_t repeats_;
    std::uint64_t barriers_;
    std::uint64_t seed_;
    std::optional<SharedCounter> counter_; ///< absent where it was not measured
    bool by_ping_pong_ = false;
    std::vector<int> checked_;
    Summary barrier_;
    std::vector<TrialRecord> records_;
};

} // namespace

namespace study {
extern const StudyMember accuracy;
const StudyMember accuracy = {
    "clocks",   "accuracy",       "the error of every rank's global clock at times after synchronising, per algorithm",
    "accuracy", accuracy_options, make<AccuracyStudy>};
} // namespace study

} // namespace ictus
