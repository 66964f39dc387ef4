#include "study/overlap_case.hpp"

#include "barrier/barrier.hpp"
#include "base/random.hpp"
#include "base/summary.hpp"
#include "measure/case_measurement.hpp"
#include "mpi/handles.hpp"
#include "procsync/procsync.hpp"
#include "study/overlap_phases.hpp"
#include "study/study.hpp"
#include "transport/control.hpp"

#include <algorithm>

namespace ictus {
namespace {

constexpr std::uint64_t most_lengthenings = 2; ///< of the computation of a case

/// The slowest rank of each repetition, on every rank. Collective.
std::vector<double> slowest(Transport& transport, std::vector<double> durations) {
    control::reduce_largest(transport, durations);
    control::broadcast(transport, std::as_writable_bytes(std::span(durations)));
    return durations;
}

/// Warm-ups, and then as many calls for the preparation of a procsync, started by our own barrier: the median duration
/// on the slowest rank, seconds. Collective.
double warm_up_and_time(LaunchContext& context, const CasePlan& one, Operation& operation) {
    Transport& transport = context.transport();
    const auto barrier = barrier::make_own();
    const std::uint64_t n = std::max<std::uint64_t>(1, one.warmup);
    std::vector<double> latencies;
    for (std::uint64_t i = 0; i < 2 * n; ++i) {
        barrier->wait(transport);
        const LocalTime start = transport.now();
        mpi::check(operation.call(), "a warm-up call");
        if (i >= n) {
            latencies.push_back(transport.now() - start);
        }
    }
    return summarise(slowest(transport, std::move(latencies))).median;
}

/// One repetition of a run on this rank, seconds.
struct Sample {
    std::array<double, 5> phases; ///< init, test, compute, wait, total
    double overhead = 0.0;
    SampleFlags flags = 0;
};

std::array<double, 5> seconds(const Phases& phases, double frequency_hz) {
    const std::int64_t ticks[] = {phases.init, phases.test, phases.compute, phases.wait, phases.total()};
    std::array<double, 5> all{};
    std::transform(std::begin(ticks), std::end(ticks), all.begin(),
                   [&](std::int64_t one) { return static_cast<double>(one) / frequency_hz; });
    return all;
}

/// Duration of the clock readings that a computation contains.
double readings_s(Clock& clock, const ProgressCalls& tests) {
    constexpr int trials = 15;
    std::vector<double> durations;
    for (int i = 0; i < trials; ++i) {
        const Phases bare = compute_alone(clock, {ComputationKind::none, 0, tests});
        durations.push_back(static_cast<double>(bare.total()) / clock.frequency_hz());
    }
    return summarise(std::move(durations)).median;
}

/// A case while it is measured on this rank.
class OverlapMeasurement {
public:
    OverlapMeasurement(LaunchContext& context, const OverlapPlan& plan, OverlapCase& measured, Startable& operation,
                       ProgressThread* thread)
        : context_(context), plan_(plan), case_(measured), operation_(operation), thread_(thread),
          samples_(measured.runs.size()) {}

    /// T_b, with starts as far apart as those of the runs. `room_s`: roughly the length of a repetition. Collective.
    void pilot(double room_s) {
        prepare(room_s);
        std::vector<double> totals;
        std::vector<SampleFlags> flags;
        const std::uint64_t n = std::max<std::uint64_t>(1, case_.plan->warmup);
        for (std::uint64_t i = 0; i < n; ++i) {
            const Sample sample = repetition({});
            totals.push_back(sample.phases.back());
            flags.push_back(sample.flags);
        }
        control::combine_flags(context_.transport(), flags);
        const std::vector<double> all = slowest(context_.transport(), std::move(totals));
        std::vector<double> together;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (flags[i] == 0) {
                together.push_back(all[i]);
            }
        }
        case_.pilot_s = enough_to_hide(together.empty() ? all : std::move(together));
        case_.target_s = plan_.compute_factor * case_.pilot_s;
    }

    /// Whether the computation was shorter than T_b among the other runs, so that it could not hide all of it. Then it
    /// is made longer, and all results of the case are dropped. Collective.
    [[nodiscard]] bool lengthened() {
        std::vector<double> totals;
        for (const Sample& sample : samples_.front()) {
            if (sample.flags == 0) {
                totals.push_back(sample.phases.back());
            }
        }
        if (totals.empty() || case_.lengthened == most_lengthenings) { // flags are combined over all ranks
            return false;
        }
        totals = slowest(context_.transport(), std::move(totals));
        if (summarise(totals).median <= case_.target_s) {
            return false;
        }
        ++case_.lengthened;
        case_.target_s = plan_.compute_factor * enough_to_hide(std::move(totals));
        own_s_.clear();
        for (std::size_t run = 0; run < samples_.size(); ++run) {
            samples_[run].clear();
            case_.runs[run].attempted = case_.runs[run].valid = 0;
        }
        return true;
    }

    void calibrate() {
        Clock& clock = context_.clock();
        const bool works = std::ranges::any_of(case_.runs, &is_work);
        if (works) {
            const auto own = static_cast<double>(find_workload(clock, case_.target_s));
            case_.workload = static_cast<std::uint64_t>(control::largest(context_.transport(), own));
        }
        const double worked_s = works ? undisturbed_s(clock, case_.workload) : 0.0;
        for (OverlapRun& run : case_.runs) {
            const bool is_time = run.kind == ComputationKind::time;
            own_s_.push_back(is_work(run) ? worked_s + readings_s(clock, run.tests) : is_time ? case_.target_s : 0.0);
        }
        // A start must leave time for the longest run without any overlap.
        const double longest = control::largest(context_.transport(), *std::ranges::max_element(own_s_));
        prepare(std::max(case_.pilot_s, case_.target_s) + longest);
    }

    /// Rounds of one repetition of each run, until all have enough valid ones or the limit of attempts is reached.
    void repeat() {
        std::uint64_t lacking = plan_.nrep;
        for (std::uint64_t done = 0; lacking > 0 && done < study::most_attempts * plan_.nrep;) {
            const std::uint64_t rounds = std::min(lacking, study::most_attempts * plan_.nrep - done);
            for (std::uint64_t i = 0; i < rounds; ++i) {
                play_round(SplitMix64::mix(plan_.seed + case_.plan->id) + done + i);
            }
            done += rounds;
            lacking = judge(done - rounds);
        }
    }

    /// Collective.
    void reduce() {
        for (std::size_t run = 0; run < samples_.size(); ++run) {
            reduce_run(static_cast<std::uint16_t>(run));
        }
    }

private:
    static bool is_work(const OverlapRun& run) { return run.kind == ComputationKind::work; }

    void prepare(double latency_s) {
        procsync_ = context_.make_start(plan_.procsync);
        procsync_->prepare(latency_s);
    }

    /// The caller subtracts the overhead.
    Sample repetition(const Computation& computation) {
        procsync_->begin();
        Sample sample;
        sample.flags = procsync_->start();
        const Phases phases = overlap_once(context_.clock(), operation_, computation);
        // A repetition that outlasts its window is valid here: the study measures what makes it longer.
        (void)procsync_->finish(context_.transport().now());
        sample.phases = seconds(phases, context_.clock().frequency_hz());
        return sample;
    }

    [[nodiscard]] Computation computation(const OverlapRun& run) const {
        const double ticks = case_.target_s * context_.clock().frequency_hz();
        return {run.kind, is_work(run) ? case_.workload : static_cast<std::uint64_t>(ticks), run.tests};
    }

    void play_round(std::uint64_t seed) {
        for (const std::uint64_t index : shuffled_order(case_.runs.size(), seed)) {
            const OverlapRun& run = case_.runs[index];
            const bool helped = thread_ != nullptr && run.kind != ComputationKind::none;
            if (helped) {
                thread_->resume();
            }
            Sample sample = repetition(computation(run));
            if (helped) {
                thread_->pause();
            }
            const auto& [init, test, compute, wait, total] = sample.phases;
            sample.overhead = is_work(run) ? total - own_s_[index] : init + test + wait;
            samples_[index].push_back(sample);
        }
    }

    /// Collective: one late rank makes a repetition invalid for all. Returns the largest number of missing repetitions
    /// of a run.
    std::uint64_t judge(std::size_t first) {
        std::uint64_t lacking = 0;
        for (std::size_t run = 0; run < samples_.size(); ++run) {
            std::vector<SampleFlags> flags;
            for (std::size_t i = first; i < samples_[run].size(); ++i) {
                flags.push_back(samples_[run][i].flags);
            }
            control::combine_flags(context_.transport(), flags);
            for (std::size_t i = 0; i < flags.size(); ++i) {
                samples_[run][first + i].flags = flags[i];
                case_.runs[run].valid += flags[i] == 0 ? 1 : 0;
            }
            case_.runs[run].attempted = samples_[run].size();
            lacking = std::max(lacking, plan_.nrep - std::min(plan_.nrep, case_.runs[run].valid));
        }
        return lacking;
    }

    void reduce_run(std::uint16_t index) {
        OverlapRun& run = case_.runs[index];
        std::vector<double> longest;
        std::array<std::vector<double>, 5> valid;
        for (const Sample& sample : samples_[index]) {
            longest.insert(longest.end(), sample.phases.begin(), sample.phases.end());
            longest.push_back(sample.overhead);
            for (std::size_t phase = 0; sample.flags == 0 && phase < valid.size(); ++phase) {
                valid[phase].push_back(sample.phases[phase]);
            }
        }
        control::reduce_largest(context_.transport(), longest);
        OwnNumbers means{"mean", {}};
        for (std::vector<double>& one : valid) {
            means.values.push_back(summarise(std::move(one)).mean);
        }
        auto ranks =
            gather_named(context_.record_comm(), std::vector{OwnNumbers{"alone_s", {own_s_[index]}}, std::move(means)});
        if (!context_.is_root()) {
            return;
        }
        run.compute_s = std::move(ranks[0].rows.front());
        run.mean_s = std::move(ranks[1].rows);
        for (std::size_t i = 0; i < samples_[index].size(); ++i) {
            const double* const at = &longest[6 * i];
            case_.phases.push_back({case_.plan->id, index, static_cast<std::uint32_t>(i), samples_[index][i].flags,
                                    at[0], at[1], at[2], at[3], at[4], at[5]});
        }
    }

    LaunchContext& context_;
    const OverlapPlan& plan_;
    OverlapCase& case_;
    Startable& operation_;
    ProgressThread* thread_;
    std::unique_ptr<ProcSync> procsync_;
    std::vector<std::vector<Sample>> samples_; ///< of each run
    std::vector<double> own_s_;                ///< of each run: duration of its computation alone on this rank
};

} // namespace

OverlapCase measure_overlap(LaunchContext& context, const OverlapPlan& plan, const CasePlan& one,
                            ProgressThread* thread) {
    OverlapCase measured;
    measured.plan = &one;
    const CallGroup& call_group = context.call_group(one.communicator);
    measured.extent = extent_of(one, call_group.size);
    const auto operation = make_operation(call_group, one, measured.extent, one.root, 0);
    if (plan.validate) {
        validate_payload(context.transport(), one, one.root, *operation, SplitMix64::mix(plan.seed) + one.id);
    }
    measured.runs = runs_of(plan.computations, plan.intervals_bytes, one.size_bytes);
    OverlapMeasurement measurement(context, plan, measured, *operation->startable(), thread);
    measurement.pilot(warm_up_and_time(context, one, *operation));
    do {
        measurement.calibrate();
        measurement.repeat();
    } while (measurement.lengthened());
    measurement.reduce();
    return measured;
}

} // namespace ictus
