// How a window is adapted to the result of a batch: the published rules of `window-adaptive`. Arithmetic only.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace ictus::procsync {

/// The flags of a batch, combined over the ranks, and how long it took from its announcement to its last end, all ranks
/// together, seconds.
struct Batch {
    std::span<const SampleFlags> flags;
    double elapsed_s = 0.0;
};

class WindowRule {
public:
    virtual ~WindowRule() = default;
    /// Repetitions of the next batch, where `missing` valid samples are still lacking; 0 ends the case.
    [[nodiscard]] virtual std::uint64_t next_batch(std::uint64_t missing) = 0;
    /// Whether it decides when a case is over, whatever the repetition says.
    [[nodiscard]] virtual bool ends_cases() const { return false; }
    /// Whether the next batch is a trial: back to back, without windows.
    [[nodiscard]] virtual bool is_trial() const { return false; }
    /// The least duration of a call in the trial, the largest of all ranks.
    virtual void estimate(double run_time_s) { (void)run_time_s; }
    /// Learns from a batch that ran in windows. Returns whether its samples may be used.
    virtual bool judge(const Batch& batch) = 0;
    /// Whether a call that outlasts its window is invalid by this rule.
    [[nodiscard]] virtual bool flags_overruns() const = 0;
    [[nodiscard]] virtual double size_s() const = 0;
};

/// SKaMPI's: from a window of size 0 upwards; valid samples are kept on the way. `batch` repetitions at a time, four at
/// first. `size_s`: the first window.
[[nodiscard]] std::unique_ptr<WindowRule> skampi_rule(double size_s, std::uint64_t batch);

/// NBCBench's: the whole case again with a longer window until enough of it was on time. `size_s`: the first window;
/// negative: the estimated run-time.
[[nodiscard]] std::unique_ptr<WindowRule> nbcbench_rule(double size_s);

} // namespace ictus::procsync
