#include "study/frequency.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "base/summary.hpp"
#include "clock/tsc_frequency.hpp"
#include "mpi/agreement.hpp"
#include "study/study.hpp"

#include <algorithm>

namespace ictus {
namespace {

double hertz_or_nan(const Frequency& frequency) { return frequency.hz > 0.0 ? frequency.hz : undefined; }

template <class Calibrate>
CalibrationSeries calibrate_repeatedly(LaunchContext& context, const char* source, double duration_s,
                                       std::uint64_t repeats, Calibrate calibrate) {
    context.transport().library_barrier();
    const LocalTime begin = context.transport().now();
    std::vector<double> found;
    found.reserve(repeats);
    for (std::uint64_t i = 0; i < repeats; ++i) {
        found.push_back(calibrate(duration_s).hz);
    }
    const double elapsed[] = {context.transport().now() - begin};
    const auto durations = gather_columns(context.record_comm(), elapsed);
    const std::vector<double> all = mpi::gather_values(context.record_comm(), found);
    CalibrationSeries series{source, duration_s, 0.0, {}};
    if (!context.is_root()) {
        return series;
    }
    series.elapsed_s = *std::max_element(durations[0].begin(), durations[0].end());
    for (auto first = all.begin(); first != all.end(); first += static_cast<std::ptrdiff_t>(repeats)) {
        series.hz.emplace_back(first, first + static_cast<std::ptrdiff_t>(repeats));
    }
    return series;
}

} // namespace

FrequencyResult run_frequency(LaunchContext& context, const FrequencyPlan& plan) {
    if (is_simulated) {
        throw PlanError("clocks frequency: a simulator has no counter whose frequency could be calibrated");
    }
    const Frequency stated = stated_frequency();
    const double values[] = {hertz_or_nan(stated), hertz_or_nan(model_name_frequency())};
    auto columns = gather_columns(context.record_comm(), values);
    FrequencyResult result;
    result.stated_hz = std::move(columns[0]);
    result.model_name_hz = std::move(columns[1]);
    result.stated_source = mpi::gather_texts(context.record_comm(), stated.hz > 0.0 ? stated.source : "");
    for (const double duration : plan.durations_s) {
        result.calibrations.push_back(
            calibrate_repeatedly(context, "calibrated", duration, plan.repeats, calibrated_frequency));
    }
    if (plan.per_rank_repeats > 0) {
        result.calibrations.push_back(
            calibrate_repeatedly(context, "calibrated-per-rank", 1.0, plan.per_rank_repeats, netgauge_frequency));
    }
    return result;
}

void write(record::JsonWriter& json, const FrequencyResult& result) {
    json.list("stated_hz", result.stated_hz);
    json.key("stated_source").begin_array(record::JsonWriter::Spacing::line);
    for (const std::string& source : result.stated_source) {
        json.value(source.empty() ? std::nullopt : std::optional(source));
    }
    json.end_array().list("model_name_hz", result.model_name_hz);
    json.key("calibrations").begin_array();
    for (const CalibrationSeries& one : result.calibrations) {
        json.begin_object().member("source", one.source).member("duration_s", one.duration_s);
        json.member("elapsed_s", one.elapsed_s).key("hz").begin_array();
        for (const std::vector<double>& rank : one.hz) {
            json.begin_array(record::JsonWriter::Spacing::line);
            for (const double hz : rank) {
                json.value(hz);
            }
            json.end_array();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

} // namespace ictus
