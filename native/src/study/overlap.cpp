// `overlap phases`: how much of a nonblocking operation's time a computation hides, by phases. Hoefler, Schneider and
// Lumsdaine 2008, sec. 4. Layout: file-format.md, overlap.json and phases.npy.
#include "base/quantity.hpp"
#include "base/random.hpp"
#include "clocksync/clocksync.hpp"
#include "machine/system_tree.hpp"
#include "measure/calibration.hpp"
#include "procsync/procsync.hpp"
#include "record/control_variables.hpp"
#include "record/npy.hpp"
#include "study/overlap_case.hpp"
#include "study/study.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <cctype>
#include <sched.h>

namespace ictus {
namespace {

constexpr Option overlap_options[] = {
    option::ranks,
    option::clock,
    option::clock_domain,
    option::member("clocksync", defaults::clocksync, "how the clocks are synchronised that let ranks begin together",
                   &clocksync::family),
    option::member("procsync", "barrier", "how ranks begin each repetition together", &procsync::family),
    option::text("op", "iallreduce,ibcast,ialltoall", "nonblocking and persistent operations").list(),
    option::text("size", "1Ki,32Ki,1Mi", "total volume in bytes of one process's largest buffer")
        .list()
        .spelled("sizes"),
    option::text("datatype", "double", "datatype of the elements"),
    option::text("operator", "sum", "operator of reductions"),
    option::count("root", "0", "root of rooted operations", {.maximum = 1e7}),
    option::choice("compute", "time,work",
                   "what is computed meanwhile: for a given time by the clock, or a fixed amount of work", "time work")
        .list(),
    option::size("intervals", "none,64Ki,16Ki,4Ki",
                 "bytes of the message from one progress call (MPI_Test) to the next; none: no progress calls",
                 {1, 1e15})
        .or_words("none")
        .list(),
    option::real("compute-factor", "1", "length of the computation in blocking times of the operation", {1, 1000}),
    option::choice(
        "progress-thread", "none",
        "own: a thread of Ictus calls the library meanwhile, so that it makes progress (needs MPI_THREAD_MULTIPLE)",
        "none own"),
    option::text(
        "progress-place", "any",
        "where that thread runs: same (its rank's CPU, which it shares), any, or CPUs, one for each rank of a host"),
    option::duration("progress-pause", "0", "how long that thread sleeps between two calls", {0, 1}),
    option::count("nrep", "100", "valid repetitions of each run", {1, 1e6}),
    option::count("warmup", "20", "calls before the first that counts, and as many again that set how long is computed",
                  {1, 1e6}),
    option::flag("validate", "on", "check the result of every case first"),
    study::seed("seed of the contents of the messages and of every order"),
    option::text("phases", "", "file for all repetitions (phases.npy)"),
    study::output,
};

/// Keeps the rank on one CPU, so that the progress thread can stay on the same one; undone at the end.
class CpuPin {
public:
    explicit CpuPin(int cpu) {
        (void)sched_getaffinity(0, sizeof(before_), &before_);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<unsigned>(cpu), &one);
        (void)sched_setaffinity(0, sizeof(one), &one);
    }
    ~CpuPin() { (void)sched_setaffinity(0, sizeof(before_), &before_); }
    CpuPin(const CpuPin&) = delete;
    CpuPin& operator=(const CpuPin&) = delete;

private:
    cpu_set_t before_{};
};

OverlapPlan overlap_plan(const OptionValues& values) {
    OverlapPlan plan;
    plan.procsync = values.member("procsync");
    for (const std::string& kind : values.words("compute")) {
        plan.computations.push_back(kind == "work" ? ComputationKind::work : ComputationKind::time);
    }
    for (const std::string& interval : values.words("intervals")) {
        plan.intervals_bytes.push_back(interval == "none" ? 0 : parse_count(interval, "option 'intervals'"));
    }
    plan.compute_factor = values.real("compute-factor");
    plan.nrep = values.count("nrep");
    plan.validate = values.flag("validate");
    plan.seed = values.count("seed");
    return plan;
}

bool is_own_thread(const OptionValues& values) { return values.text("progress-thread") == "own"; }

/// The library's own control variables about progress.
void write_control_variables(record::JsonWriter& json) {
    json.key("control_variables").begin_object();
    for (const auto& [name, value] : record::read_control_variables()) {
        std::string lower = name;
        std::ranges::transform(lower, lower.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (lower.find("progress") != std::string::npos) {
            json.member(name, value);
        }
    }
    json.end_object();
}

void write_run(record::JsonWriter& json, const OverlapRun& run, std::size_t index) {
    constexpr std::string_view phase_names[] = {"init_s", "test_s", "compute_s", "wait_s", "total_s"};
    json.begin_object().member("run", index).member("compute", to_string(run.kind));
    json.list("intervals_bytes", run.intervals_bytes).member("tests", run.tests.n);
    json.member("attempted", run.attempted).member("valid", run.valid);
    json.list("alone_s", run.compute_s);
    json.key("mean").begin_object();
    for (std::size_t phase = 0; phase < std::size(phase_names); ++phase) {
        json.list(phase_names[phase], run.mean_s[phase]);
    }
    json.end_object().end_object();
}

void write_case(record::JsonWriter& json, const OverlapCase& one) {
    const CasePlan& plan = *one.plan;
    json.begin_object().member("case_id", plan.id).member("operation", to_string(plan.call.spec()));
    json.member("mpi_name", plan.operation->mpi_name).member("form", to_string(plan.operation->form));
    json.member("size_bytes", plan.size_bytes).member("block_bytes", one.extent.block_bytes);
    json.member("moved_bytes", one.extent.moved_bytes).member("datatype", plan.datatype->name);
    json.member("operator", plan.operation->reduces ? std::optional(plan.reduction->name) : std::nullopt);
    json.member("pilot_s", one.pilot_s).member("target_s", one.target_s).member("lengthened", one.lengthened);
    json.member("workload", one.workload);
    json.array("runs", one.runs,
               [&](const OverlapRun& run) { write_run(json, run, static_cast<std::size_t>(&run - one.runs.data())); });
    json.end_object();
}

class OverlapStudy final : public Study {
public:
    OverlapStudy(const OptionValues& values, const LaunchPlan& launch)
        : plan_(overlap_plan(values)), cases_(launch.cases), has_thread_(is_own_thread(values)),
          place_(values.text("progress-place")), pause_s_(values.duration("progress-pause")),
          phases_(values.text("phases")) {
        check_place(place_);
    }

    void check(LaunchContext& context) override {
        for (const CasePlan& one : cases_) {
            if (one.operation->form == Form::blocking) {
                throw PlanError("operation '" + std::string(one.operation->name) +
                                "' is blocking: there is nothing to overlap with; name a nonblocking or persistent "
                                "one, such as i" +
                                std::string(one.operation->name));
            }
            (void)extent_of(one, context.size());
        }
        const bool works = std::ranges::find(plan_.computations, ComputationKind::work) != plan_.computations.end();
        if (is_simulated && (works || has_thread_)) {
            throw PlanError("simulated ranks compute in no time and have no threads: compute kind 'work' and progress "
                            "threads need real ranks");
        }
        if (has_thread_) {
            check_threads(context);
        }
        if (context.make_start(plan_.procsync)->ends_cases()) {
            throw PlanError("procsync '" + std::string(plan_.procsync.info().name) +
                            "' itself decides when a case ends, and the runs of this study alternate; use window or "
                            "harmonize");
        }
    }

    void measure(LaunchContext& context) override {
        std::optional<CpuPin> stay;
        std::optional<ProgressThread> thread;
        if (has_thread_) {
            const std::optional<int> cpu = progress_cpu(context.topology(), place_);
            if (place_ == "same") {
                stay.emplace(*cpu);
            }
            thread.emplace(cpu, pause_s_);
        }
        LocalTime synchronised = open_block(context).at;
        for (const std::uint64_t index : shuffled_order(cases_.size(), SplitMix64::mix(plan_.seed))) {
            if (is_stale(context.transport(), synchronised)) {
                synchronised = open_block(context).at;
            }
            measured_.push_back(measure_overlap(context, plan_, cases_[index], thread ? &*thread : nullptr));
        }
        const auto n_threads = machine::SystemTree().names("proc/self/task").size();
        thread_ranks_ =
            gather_named(context.record_comm(), {{"cpu", static_cast<double>(thread ? thread->cpu() : -1)},
                                                 {"calls", static_cast<double>(thread ? thread->calls() : 0)}});
        n_threads_ = gather_named(context.record_comm(), {{"threads", static_cast<double>(n_threads)}});
        if (context.is_root() && !phases_.empty()) {
            record::NpyWriter file(phases_, record::PhaseRecord::descriptor, sizeof(record::PhaseRecord));
            for (const OverlapCase& one : measured_) {
                file.append(std::as_bytes(std::span(one.phases)));
            }
            file.close();
        }
    }

    [[nodiscard]] std::vector<std::string> remarks() const override {
        std::vector<std::string> found;
        for (const OverlapCase& one : measured_) {
            for (const OverlapRun& run : one.runs) {
                if (2 * run.valid < run.attempted) {
                    found.push_back(std::string(one.plan->operation->name) + ", " +
                                    std::to_string(one.plan->size_bytes) + " B: only " + std::to_string(run.valid) +
                                    " of " + std::to_string(run.attempted) + " repetitions of compute '" +
                                    std::string(to_string(run.kind)) + "' began together");
                }
            }
        }
        return found;
    }

    void write(record::JsonWriter& json) const override {
        json.member("procsync", to_string(plan_.procsync.spec())).member("nrep", plan_.nrep);
        json.member("compute_factor", plan_.compute_factor);
        json.key("thread").begin_object().member("own", has_thread_);
        json.member("place", has_thread_ ? place_ : "none").member("pause_s", pause_s_);
        write_lists(json, thread_ranks_);
        json.end_object();
        write_lists(json, n_threads_);
        write_control_variables(json);
        json.array("cases", measured_, [&](const OverlapCase& one) { write_case(json, one); });
    }

private:
    void check_threads(LaunchContext& context) const {
        int level = MPI_THREAD_SINGLE;
        MPI_Query_thread(&level);
        if (level != MPI_THREAD_MULTIPLE) {
            throw PlanError("a progress thread of Ictus needs MPI_THREAD_MULTIPLE, which this library does not give; "
                            "use --progress-thread none");
        }
        // The fullest host's, so that every rank refuses alike.
        check_place(place_,
                    static_cast<std::size_t>(control::largest(context.transport(), context.topology().n_host_ranks)));
    }

    OverlapPlan plan_;
    const std::vector<CasePlan>& cases_;
    bool has_thread_;    ///< a progress thread of our own
    std::string place_;  ///< where it runs
    double pause_s_;     ///< between its calls
    std::string phases_; ///< file; empty: not kept
    std::vector<OverlapCase> measured_;
    std::vector<RankNumbers> thread_ranks_; ///< CPU of each rank's progress thread, -1: not bound, or none; its calls
    std::vector<RankNumbers> n_threads_;    ///< of each rank's process, while measuring
};

} // namespace

namespace study {
extern const StudyMember overlap;
const StudyMember overlap = {.topic = "overlap",
                             .name = "phases",
                             .summary = "nonblocking operations that a computation overlaps, phase by phase",
                             .document = "overlap",
                             .options = overlap_options,
                             .make = make<OverlapStudy>,
                             .has_threads = is_own_thread};
} // namespace study

} // namespace ictus
