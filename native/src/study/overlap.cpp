#include "study/overlap.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/simulated.hpp"
#include "base/spec.hpp"
#include "machine/system_tree.hpp"
#include "measure/calibration.hpp"
#include "procsync/procsync.hpp"
#include "record/npy.hpp"
#include "study/columns.hpp"
#include "study/overlap_case.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <sched.h>

namespace ictus {
namespace {

constexpr double resync_interval_s = 60.0;

/// Keeps the rank on one CPU, so that the progress thread stays on the same; undone at the end.
class StayOn {
public:
    explicit StayOn(int cpu) {
        (void)sched_getaffinity(0, sizeof(before_), &before_);
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(static_cast<unsigned>(cpu), &one);
        (void)sched_setaffinity(0, sizeof(one), &one);
    }
    ~StayOn() { (void)sched_setaffinity(0, sizeof(before_), &before_); }
    StayOn(const StayOn&) = delete;
    StayOn& operator=(const StayOn&) = delete;

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

std::string_view to_string(Computation::Kind kind) {
    switch (kind) {
    case Computation::Kind::none: return "none";
    case Computation::Kind::time: return "time";
    case Computation::Kind::work: return "work";
    }
    return "unknown";
}

void check_overlap(Workplace& workplace, const OverlapPlan& plan) {
    const auto refuse = [](const std::string& why) { throw PlanError(why); };
    for (const CasePlan& one : plan.cases) {
        if (one.operation->form == Form::blocking) {
            refuse("operation '" + std::string(one.operation->name) +
                   "' is blocking: there is nothing to overlap with; name a nonblocking or persistent one, such as i" +
                   std::string(one.operation->name));
        }
    }
    const bool works = std::ranges::find(plan.computations, Computation::Kind::work) != plan.computations.end();
    if (is_simulated && (works || plan.has_thread)) {
        refuse("simulated ranks compute in no time and have no threads: compute kind 'work' and progress threads are "
               "for real ones");
    }
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (plan.has_thread && level != MPI_THREAD_MULTIPLE) {
        refuse("a progress thread of our own is unavailable: this library does not give MPI_THREAD_MULTIPLE");
    }
    // The fullest host's, so that every rank refuses alike.
    const auto n_host_ranks =
        static_cast<std::size_t>(control::largest(workplace.transport(), workplace.topology().n_host_ranks));
    if (plan.has_thread && plan.thread_place != "any" && plan.thread_place != "same" &&
        split_list(plan.thread_place).size() < n_host_ranks) {
        refuse("option 'progress-place': '" + plan.thread_place + "' names CPUs for " +
               std::to_string(split_list(plan.thread_place).size()) + " of the " + std::to_string(n_host_ranks) +
               " ranks of a host; name one for each, or any, or same");
    }
    try {
        const auto procsync = procsync::registry().make(
            plan.procsync, {workplace.transport(), workplace.global_clock(), workplace.clocksync().synchronises()});
        if (procsync->ends_cases()) {
            refuse("procsync '" + std::string(plan.procsync.info().name) +
                   "' decides itself when a case is over; runs that take turns need one that does not");
        }
        for (const CasePlan& one : plan.cases) {
            (void)extent_of(one, workplace.size());
        }
    } catch (const Error& error) { // nothing here depends on the rank
        throw PlanError(error.what());
    }
}

void OverlapStudy::measure(Workplace& workplace) {
    check_overlap(workplace, plan_);
    Transport& transport = workplace.transport();
    std::optional<StayOn> stay;
    std::optional<ProgressThread> thread;
    if (plan_.has_thread) {
        const std::optional<int> cpu = progress_cpu(workplace.topology(), plan_.thread_place);
        if (plan_.thread_place == "same") {
            stay.emplace(*cpu);
        }
        thread.emplace(cpu, plan_.thread_pause_s);
    }
    LocalTime synchronised = open_block(workplace).at;
    for (const std::uint64_t index : shuffled_order(plan_.cases.size(), SplitMix64::mix(plan_.seed))) {
        const bool stale = transport.now() - synchronised >= resync_interval_s;
        if (control::broadcast_value(transport, static_cast<std::uint8_t>(stale)) != 0) { // rank 0 decides for all
            synchronised = open_block(workplace).at;
        }
        result_.cases.push_back(measure_overlap(workplace, plan_, plan_.cases[index], thread ? &*thread : nullptr));
    }
    const double own[] = {static_cast<double>(thread ? thread->cpu() : -1),
                          static_cast<double>(record::SystemTree().names("proc/self/task").size()),
                          static_cast<double>(thread ? thread->calls() : 0)};
    auto ranks = gather_columns(workplace.record_comm(), own);
    if (workplace.is_root()) {
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

} // namespace ictus
