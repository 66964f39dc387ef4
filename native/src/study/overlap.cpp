#include "study/overlap.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/spec.hpp"
#include "machine/cpu_set.hpp"
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
#include <string>

namespace ictus {
namespace {

constexpr double resync_interval_s = 60.0;

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

void keep_phases(const std::string& path, const std::vector<OverlapCase>& cases) {
    record::NpyWriter file(path, record::PhaseRecord::descriptor, sizeof(record::PhaseRecord));
    for (const OverlapCase& one : cases) {
        file.append(std::as_bytes(std::span(one.phases)));
    }
    file.close();
}

} // namespace

std::string_view to_string(ComputationKind kind) {
    switch (kind) {
    case ComputationKind::none: return "none";
    case ComputationKind::time: return "time";
    case ComputationKind::work: return "work";
    }
    return "unknown";
}

void check_overlap(LaunchContext& context, const OverlapPlan& plan) {
    const auto refuse = [](const std::string& why) { throw PlanError(why); };
    for (const CasePlan& one : plan.cases) {
        if (one.operation->form == Form::blocking) {
            refuse("operation '" + std::string(one.operation->name) +
                   "' is blocking: there is nothing to overlap with; name a nonblocking or persistent one, such as i" +
                   std::string(one.operation->name));
        }
    }
    const bool works = std::ranges::find(plan.computations, ComputationKind::work) != plan.computations.end();
    if (is_simulated && (works || plan.has_thread)) {
        refuse("simulated ranks compute in no time and have no threads: compute kind 'work' and progress threads need "
               "real ranks");
    }
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (plan.has_thread && level != MPI_THREAD_MULTIPLE) {
        refuse("a progress thread of Ictus needs MPI_THREAD_MULTIPLE, which this library does not give; use "
               "--progress-thread none");
    }
    // The fullest host's, so that every rank refuses alike.
    const auto n_host_ranks =
        static_cast<std::size_t>(control::largest(context.transport(), context.topology().n_host_ranks));
    if (plan.has_thread && plan.thread_place != "any" && plan.thread_place != "same" &&
        split_list(plan.thread_place).size() < n_host_ranks) {
        refuse("option 'progress-place': '" + plan.thread_place + "' names CPUs for " +
               std::to_string(split_list(plan.thread_place).size()) + " of the " + std::to_string(n_host_ranks) +
               " ranks of a host; name one for each, or any, or same");
    }
    try {
        const auto procsync = procsync::registry().make(
            plan.procsync, {context.transport(), context.global_clock(), context.clocksync().synchronises()});
        if (procsync->ends_cases()) {
            refuse("procsync '" + std::string(plan.procsync.info().name) +
                   "' itself decides when a case ends, and the runs of this study alternate; use window or harmonize");
        }
        for (const CasePlan& one : plan.cases) {
            (void)extent_of(one, context.size());
        }
    } catch (const Error& error) { // nothing here depends on the rank
        throw PlanError(error.what());
    }
}

void OverlapStudy::measure(LaunchContext& context) {
    check_overlap(context, plan_);
    Transport& transport = context.transport();
    std::optional<CpuPin> stay;
    std::optional<ProgressThread> thread;
    if (plan_.has_thread) {
        const std::optional<int> cpu = progress_cpu(context.topology(), plan_.thread_place);
        if (plan_.thread_place == "same") {
            stay.emplace(*cpu);
        }
        thread.emplace(cpu, plan_.thread_pause_s);
    }
    LocalTime synchronised = open_block(context).at;
    for (const std::uint64_t index : shuffled_order(plan_.cases.size(), SplitMix64::mix(plan_.seed))) {
        const bool stale = transport.now() - synchronised >= resync_interval_s;
        if (control::broadcast_value(transport, static_cast<std::uint8_t>(stale)) != 0) { // rank 0 decides for all
            synchronised = open_block(context).at;
        }
        result_.cases.push_back(measure_overlap(context, plan_, plan_.cases[index], thread ? &*thread : nullptr));
    }
    const double own[] = {static_cast<double>(thread ? thread->cpu() : -1),
                          static_cast<double>(machine::SystemTree().names("proc/self/task").size()),
                          static_cast<double>(thread ? thread->calls() : 0)};
    auto ranks = gather_columns(context.record_comm(), own);
    if (context.is_root()) {
        result_.cpu = std::move(ranks[0]);
        result_.n_threads = std::move(ranks[1]);
        result_.thread_calls = std::move(ranks[2]);
        if (!plan_.phases.empty()) {
            keep_phases(plan_.phases, result_.cases);
        }
    }
}

std::vector<std::string> OverlapStudy::remarks() const {
    std::vector<std::string> found;
    for (const OverlapCase& one : result_.cases) {
        for (const OverlapRun& run : one.runs) {
            if (2 * run.valid < run.attempted) {
                found.push_back(std::string(one.plan->operation->name) + ", " + std::to_string(one.plan->size_bytes) +
                                " B: only " + std::to_string(run.valid) + " of " + std::to_string(run.attempted) +
                                " repetitions of compute '" + std::string(to_string(run.kind)) + "' began together");
            }
        }
    }
    return found;
}

namespace {

using record::JsonWriter;

constexpr std::array<const char*, 5> phase_names = {"init_s", "test_s", "compute_s", "wait_s", "total_s"};

bool is_about_progress(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("progress") != std::string::npos;
}

/// The library's own control variables about progress.
void write_control_variables(JsonWriter& json) {
    json.key("control_variables").begin_object();
    for (const auto& [name, value] : record::read_control_variables()) {
        if (is_about_progress(name)) {
            json.member(name, value);
        }
    }
    json.end_object();
}

void write_run(JsonWriter& json, const OverlapRun& run, std::size_t index) {
    json.begin_object().member("run", index).member("compute", to_string(run.kind));
    json.list("intervals_bytes", run.intervals_bytes).member("tests", run.tests.n);
    json.member("attempted", run.attempted).member("valid", run.valid);
    json.list("alone_s", run.compute_s);
    json.key("mean").begin_object();
    for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
        json.list(phase_names[phase], run.mean_s[phase]);
    }
    json.end_object().end_object();
}

void write_case(JsonWriter& json, const OverlapCase& one) {
    const CasePlan& plan = *one.plan;
    json.begin_object().member("case_id", plan.id).member("operation", to_string(plan.call.spec()));
    json.member("mpi_name", plan.operation->mpi_name).member("form", to_string(plan.operation->form));
    json.member("size_bytes", plan.size_bytes).member("block_bytes", one.extent.block_bytes);
    json.member("moved_bytes", one.extent.moved_bytes).member("datatype", plan.datatype->name);
    json.key("operator");
    if (plan.operation->reduces) {
        json.value(plan.reduction->name);
    } else {
        json.null();
    }
    json.member("pilot_s", one.pilot_s).member("target_s", one.target_s).member("lengthened", one.lengthened);
    json.member("workload", one.workload);
    json.key("runs").begin_array();
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
        write_run(json, one.runs[i], i);
    }
    json.end_array().end_object();
}

} // namespace

void OverlapStudy::write(JsonWriter& json) const {
    json.member("procsync", to_string(plan_.procsync.spec())).member("nrep", plan_.nrep);
    json.member("compute_factor", plan_.compute_factor);
    json.key("thread").begin_object().member("own", plan_.has_thread);
    json.member("place", plan_.has_thread ? plan_.thread_place : "none").member("pause_s", plan_.thread_pause_s);
    json.list("cpu", result_.cpu).list("calls", result_.thread_calls).end_object();
    json.list("threads", result_.n_threads);
    write_control_variables(json);
    json.key("cases").begin_array();
    for (const OverlapCase& one : result_.cases) {
        write_case(json, one);
    }
    json.end_array();
}

std::vector<OverlapRun> runs_of(const OverlapPlan& plan, std::uint64_t size_bytes) {
    std::vector<OverlapRun> runs(1); // the blocking one
    for (const ComputationKind kind : plan.computations) {
        for (const std::uint64_t interval : plan.intervals_bytes) {
            const auto tests = ProgressCalls::every(interval > 0 ? std::optional(interval) : std::nullopt, size_bytes);
            const auto same = std::ranges::find_if(
                runs, [&](const OverlapRun& run) { return run.kind == kind && run.tests.n == tests.n; });
            OverlapRun& run = same == runs.end() ? runs.emplace_back() : *same;
            run.kind = kind;
            run.tests = tests;
            if (interval > 0 && std::ranges::find(run.intervals_bytes, interval) == run.intervals_bytes.end()) {
                run.intervals_bytes.push_back(interval);
            }
        }
    }
    return runs;
}

std::optional<int> progress_cpu(const mpi::HostTopology& topology, const std::string& place) {
    if (place == "any") {
        return std::nullopt;
    }
    if (place == "same") {
        return machine::current_cpu().value_or(0);
    }
    const std::vector<std::string> cpus = split_list(place);
    const auto on_host = static_cast<std::size_t>(topology.host.rank());
    if (on_host >= cpus.size()) {
        throw usage_error("option 'progress-place': '" + place + "' has fewer CPUs than the " +
                          std::to_string(topology.n_host_ranks) + " ranks of a host; name one for each, or any, or " +
                          "same");
    }
    return std::stoi(cpus[on_host]);
}

} // namespace ictus
