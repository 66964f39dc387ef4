// Study of overlap: how much of a nonblocking operation's time a computation hides, by phases. Hoefler, Schneider and
// Lumsdaine 2008, sec. 4. Layout: file-format.md, overlap.json and phases.npy.
//
// The blocking time T_b (completed right after the begin) decides how long the computation is. Then all runs of a case,
// the blocking one included, take turns repetition by repetition, in random order, so that they meet the same
// conditions. Where T_b is longer there than the computation, the computation is made longer and the case is measured
// anew.
#pragma once

#include "record/sample_record.hpp"
#include "study/overlap_phases.hpp"
#include "study/study.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ictus {

struct OverlapPlan {
    std::vector<CasePlan> cases;
    Bound procsync;
    std::vector<ComputationKind> computations;
    std::vector<std::uint64_t> intervals_bytes; ///< between progress calls; 0: no progress calls
    double compute_factor = 1.0;                ///< of T_b
    std::uint64_t nrep = 100;
    bool has_thread = false;     ///< a progress thread of our own
    std::string thread_place;    ///< `same`, `any`, or a CPU for each rank of a host
    double thread_pause_s = 0.0; ///< between its calls
    bool validate = true;
    std::uint64_t seed = 1;
    std::string phases; ///< file; empty: not kept
};

/// One variant of a case.
struct OverlapRun {
    ComputationKind kind = ComputationKind::none;
    std::vector<std::uint64_t> intervals_bytes; ///< all that lead to these progress calls; empty: none
    ProgressCalls tests;

    std::uint64_t attempted = 0;
    std::uint64_t valid = 0;
    std::vector<double> compute_s; ///< on each rank: duration of the computation alone
    /// Means over the valid repetitions, on each rank: init, test, compute, wait, total.
    std::array<std::vector<double>, 5> mean_s;
};

struct OverlapCase {
    const CasePlan* plan = nullptr;
    Extent extent;
    double pilot_s = 0.0;         ///< 0.9 quantile of the pilot's blocking times
    double target_s = 0.0;        ///< required duration of the computation
    std::uint64_t lengthened = 0; ///< how often the case was measured anew, because T_b was longer
    std::uint64_t workload = 0;   ///< units, on all ranks; 0: no run of kind `work`
    std::vector<OverlapRun> runs; ///< the blocking one first
    std::vector<record::PhaseRecord> phases;
};

/// Complete on rank 0 only.
struct OverlapResult {
    std::vector<OverlapCase> cases;
    std::vector<double> cpu;          ///< of each rank's progress thread; -1: not bound, or none
    std::vector<double> n_threads;    ///< of each rank's process, while measuring
    std::vector<double> thread_calls; ///< of each rank's progress thread
};

class OverlapStudy final : public Study {
public:
    explicit OverlapStudy(OverlapPlan plan) : plan_(std::move(plan)) {}
    [[nodiscard]] std::string_view name() const override { return "overlap"; }
    void measure(LaunchContext& context) override;
    void write(record::JsonWriter& json) const override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

    /// Complete on rank 0 only.
    [[nodiscard]] const OverlapResult& result() const { return result_; }

private:
    OverlapPlan plan_;
    OverlapResult result_;
};

/// Collective. Throws a PlanError where the plan cannot be carried out.
void check_overlap(LaunchContext& context, const OverlapPlan& plan);

/// The variants of a case, the blocking one first. Intervals that lead to the same progress calls are one variant.
[[nodiscard]] std::vector<OverlapRun> runs_of(const OverlapPlan& plan, std::uint64_t size_bytes);

/// The CPU of this rank's thread, absent where it may run on any; a list is for the ranks of a host in their order
/// there. Throws a usage Error where the list is too short.
[[nodiscard]] std::optional<int> progress_cpu(const mpi::HostTopology& topology, const std::string& place);

[[nodiscard]] std::string_view to_string(ComputationKind kind);

} // namespace ictus
