#include "study/drift.hpp"

#include "base/quantity.hpp"
#include "clockmath/linear_fit.hpp"
#include "offset/offset.hpp"
#include "study/offset_pass.hpp"
#include "study/ping_pong_check.hpp"
#include "study/study.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace ictus {
namespace {

std::size_t n_points(double length_s, double interval_s) {
    return static_cast<std::size_t>(std::llround(length_s / interval_s)) + 1;
}

/// What one rank measured against rank 0, one entry an interval; nothing on rank 0, which notes the longest pass.
std::vector<OffsetSample> measure_all(Transport& transport, const DriftPlan& plan, std::span<const int> watched,
                                      double& longest_pass_s) {
    const auto estimator = offset::registry().make(plan.offset);
    std::vector<OffsetSample> samples;
    const LocalTime begin = transport.now();
    for (std::size_t i = 0; i < n_points(plan.duration_s, plan.interval_s); ++i) {
        if (transport.rank() == 0) {
            transport.wait_until(begin + static_cast<double>(i) * plan.interval_s);
        }
        const LocalTime pass_begin = transport.now();
        if (const auto sample = measure_pass(transport, *estimator, watched)) {
            samples.push_back(*sample);
        }
        longest_pass_s = std::max(longest_pass_s, transport.now() - pass_begin);
    }
    return samples;
}

OffsetSeries series_of(int rank, const std::vector<OffsetSample>& samples) {
    OffsetSeries series;
    series.rank = rank;
    series.first_offset_s = samples.front().offset.s;
    for (const OffsetSample& sample : samples) {
        series.at_s.push_back((sample.at - sample.offset).s);
        series.offset_s.push_back(sample.offset.s - series.first_offset_s);
        series.bound_s.push_back(sample.bound);
    }
    return series;
}

} // namespace

WindowFits fit_windows(const OffsetSeries& series, std::size_t points) {
    WindowFits fits;
    fits.rank = series.rank;
    for (std::size_t first = 0; first + points <= series.at_s.size(); first += points - 1) {
        const std::span<const double> at = std::span(series.at_s).subspan(first, points);
        const std::span<const double> offsets = std::span(series.offset_s).subspan(first, points);
        const LinearFit fit = fit_line(at, offsets);
        double largest = 0.0;
        for (std::size_t i = 0; i < points; ++i) {
            largest = std::max(largest, std::abs(offsets[i] - (fit.slope * at[i] + fit.intercept)));
        }
        fits.slope.push_back(fit.slope);
        fits.slope_error.push_back(fit.slope_error);
        fits.residual_max_s.push_back(largest);
    }
    return fits;
}

DriftResult run_drift(LaunchContext& context, const DriftPlan& plan) {
    Transport& transport = context.transport();
    const std::size_t n = n_points(plan.duration_s, plan.interval_s);
    DriftResult result;
    if (context.size() == 1) { // nothing to compare with
        return result;
    }
    const std::vector<int> watched = sampled_ranks(context.size(), plan.sample);
    transport.library_barrier();
    if (!context.is_root() && !std::ranges::binary_search(watched, transport.rank())) {
        return result;
    }
    std::vector<OffsetSample> samples = measure_all(transport, plan, watched, result.longest_pass_s);
    if (!context.is_root()) {
        transport.send(0, std::as_bytes(std::span(samples)));
        return result;
    }
    samples.resize(n); // from those alone that were watched: a gather would bring as much from all ranks
    for (const int rank : watched) {
        transport.receive(rank, std::as_writable_bytes(std::span(samples)));
        result.series.push_back(series_of(rank, samples));
    }
    std::vector<double> lengths = plan.windows_s;
    lengths.push_back(plan.duration_s);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    for (const OffsetSeries& series : result.series) {
        for (const double length : lengths) {
            const std::size_t points = n_points(length, plan.interval_s);
            if (points >= 3 && points <= n) { // through two points every line is straight
                WindowFits fits = fit_windows(series, points);
                fits.window_s = length;
                result.fits.push_back(std::move(fits));
            }
        }
    }
    return result;
}

std::vector<std::string> drift_remarks(const DriftPlan& plan, const DriftResult& result) {
    if (result.longest_pass_s <= plan.interval_s) {
        return {};
    }
    return {"a pass over " + std::to_string(result.series.size()) + (result.series.size() == 1 ? " rank" : " ranks") +
            " took up to " + format_duration(result.longest_pass_s) + ", longer than the interval of " +
            format_duration(plan.interval_s) +
            ": the offsets are further apart in time than requested; give a smaller --sample or a longer --interval"};
}

void write(record::JsonWriter& json, const DriftPlan& plan, const DriftResult& result) {
    json.member("interval_s", plan.interval_s).member("duration_s", plan.duration_s);
    json.member("offset", to_string(plan.offset.spec()));
    json.member("longest_pass_s", result.longest_pass_s);
    json.key("series").begin_array();
    for (const OffsetSeries& one : result.series) {
        json.begin_object().member("rank", one.rank).member("first_offset_s", one.first_offset_s);
        json.list("at_s", one.at_s).list("offset_s", one.offset_s).list("bound_s", one.bound_s).end_object();
    }
    json.end_array().key("fits").begin_array();
    for (const WindowFits& one : result.fits) {
        json.begin_object().member("rank", one.rank).member("window_s", one.window_s);
        json.list("slope", one.slope).list("slope_error", one.slope_error);
        json.list("residual_max_s", one.residual_max_s).end_object();
    }
    json.end_array();
}

} // namespace ictus
