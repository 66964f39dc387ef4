// Study of frequency: the stated frequency of the counter against those that ranks calibrate repeatedly.
// Algorithm 19 of "MPI benchmarking revisited". Layout: file-format.md, clocks.json, frequency.
#pragma once

#include "study/study.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ictus {

struct FrequencyPlan {
    std::vector<double> durations_s;
    std::uint64_t repeats = 10;
    std::uint64_t per_rank_repeats = 1; ///< of calibrated-per-rank, which takes some seconds each
};

struct CalibrationSeries {
    std::string source;
    double duration_s = 0.0;
    double elapsed_s = 0.0;              ///< of all repeats, on the slowest rank
    std::vector<std::vector<double>> hz; ///< per rank, per repeat
};

/// Filled on rank 0. NaN and "" for values that are not known.
struct FrequencyResult {
    std::vector<double> stated_hz;
    std::vector<std::string> stated_source;
    std::vector<double> model_name_hz;
    std::vector<CalibrationSeries> calibrations;
};

/// Collective; all ranks calibrate at the same time, as they do when a launch begins. Throws a PlanError where there is
/// no counter.
[[nodiscard]] FrequencyResult run_frequency(LaunchContext& context, const FrequencyPlan& plan);

void write(record::JsonWriter& json, const FrequencyResult& result);

class FrequencyStudy final : public Study {
public:
    explicit FrequencyStudy(FrequencyPlan plan) : plan_(std::move(plan)) {}
    [[nodiscard]] std::string_view name() const override { return "frequency"; }
    void measure(LaunchContext& context) override { result_ = run_frequency(context, plan_); }
    void write(record::JsonWriter& json) const override { ictus::write(json, result_); }

private:
    FrequencyPlan plan_;
    FrequencyResult result_;
};

} // namespace ictus
