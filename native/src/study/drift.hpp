// Study of drift: offsets of all local clocks against rank 0's over time, and how long a straight line describes them.
// Algorithm 18 of "MPI benchmarking revisited", all ranks in one pass. Layout: file-format.md, clocks.json, drift.
#pragma once

#include "study/study.hpp"

#include <utility>
#include <vector>

namespace ictus {

struct DriftPlan {
    Bound offset;
    double duration_s = 100.0;
    double interval_s = 1.0;
    std::vector<double> windows_s; ///< lengths over which straight lines are fitted, beside the whole
    double sample = 1.0;           ///< share of the ranks (sampled_ranks)
};

/// One rank's clock against rank 0's.
struct OffsetSeries {
    int rank = 0;
    double first_offset_s = 0.0;
    std::vector<double> at_s;     ///< rank 0's time
    std::vector<double> offset_s; ///< rank minus rank 0, minus the first
    std::vector<double> bound_s;
};

/// One straight line for each complete window of one length.
struct WindowFits {
    int rank = 0;
    double window_s = 0.0;
    std::vector<double> slope;
    std::vector<double> slope_error;
    std::vector<double> residual_max_s; ///< largest distance of an offset from the line
};

/// Filled on rank 0.
struct DriftResult {
    std::vector<OffsetSeries> series;
    std::vector<WindowFits> fits;
    double longest_pass_s = 0.0; ///< over all watched ranks
};

/// Collective.
[[nodiscard]] DriftResult run_drift(LaunchContext& context, const DriftPlan& plan);

/// Lines through each `points` consecutive entries, each window beginning where the one before it ended. points >= 2.
[[nodiscard]] WindowFits fit_windows(const OffsetSeries& series, std::size_t points);

/// That the ranks did not fit into the interval, if so.
[[nodiscard]] std::vector<std::string> drift_remarks(const DriftPlan& plan, const DriftResult& result);

void write(record::JsonWriter& json, const DriftPlan& plan, const DriftResult& result);

class DriftStudy final : public Study {
public:
    explicit DriftStudy(DriftPlan plan) : plan_(std::move(plan)) {}
    [[nodiscard]] std::string_view name() const override { return "drift"; }
    void measure(LaunchContext& context) override { result_ = run_drift(context, plan_); }
    void write(record::JsonWriter& json) const override { ictus::write(json, plan_, result_); }
    [[nodiscard]] std::vector<std::string> remarks() const override { return drift_remarks(plan_, result_); }

private:
    DriftPlan plan_;
    DriftResult result_;
};

} // namespace ictus
