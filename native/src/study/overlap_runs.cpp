#include "study/overlap_runs.hpp"

#include "base/summary.hpp"

#include <algorithm>

namespace ictus {

std::vector<OverlapRun> runs_of(std::span<const ComputationKind> computations,
                                std::span<const std::uint64_t> intervals_bytes, std::uint64_t size_bytes) {
    std::vector<OverlapRun> runs(1); // the blocking one
    for (const ComputationKind kind : computations) {
        for (const std::uint64_t interval : intervals_bytes) {
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

double enough_to_hide(std::vector<double> blocking_s) {
    constexpr double share = 0.9;
    std::ranges::sort(blocking_s);
    return quantile(blocking_s, share);
}

} // namespace ictus
