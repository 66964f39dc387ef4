#include "study/drift.hpp"

#include "clockmath/linear_fit.hpp"
#include "offset/offset.hpp"
#include "study/study.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace ictus {
namespace {

std::size_t n_points(double length_s, double interval_s) {
    return static_cast<std::size_t>(std::llround(length_s / interval_s)) + 1;
}

/// What this rank measured as client, one entry an interval; empty on rank 0.
std::vector<OffsetSample> measure_series(Transport& transport, const DriftPlan& plan) {
    const auto estimator = offset::registry().make(plan.offset);
    std::vector<OffsetSample> samples;
    const LocalTime begin = transport.now();
    for (std::size_t i = 0; i < n_points(plan.duration_s, plan.interval_s); ++i) {
        if (transport.rank() != 0) {
            (void)receive_value<std::byte>(transport, 0); // so that the first exchange does not wait for the root
            samples.push_back(estimator->measure(transport, {0, Role::client}));
            continue;
        }
        transport.wait_until(begin + static_cast<double>(i) * plan.interval_s);
        for (int client = 1; client < transport.size(); ++client) {
            send_value(transport, client, std::byte{1});
            (void)estimator->measure(transport, {client, Role::reference});
        }
    }
    return samples;
}

std::vector<OffsetSeries> gather_series(LaunchContext& context, const std::vector<OffsetSample>& samples,
                                        std::size_t n) {
    std::vector<double> values(3 * n);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        values[i] = (samples[i].at - samples[i].offset).s;
        values[n + i] = samples[i].offset.s;
        values[2 * n + i] = samples[i].bound;
    }
    const auto columns = gather_columns(context.record_comm(), values);
    std::vector<OffsetSeries> all;
    for (int rank = 1; context.is_root() && rank < context.size(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        OffsetSeries series;
        series.rank = rank;
        series.first_offset_s = columns[n][r];
        for (std::size_t i = 0; i < n; ++i) {
            series.at_s.push_back(columns[i][r]);
            series.offset_s.push_back(columns[n + i][r] - series.first_offset_s);
            series.bound_s.push_back(columns[2 * n + i][r]);
        }
        all.push_back(std::move(series));
    }
    return all;
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
    const std::size_t n = n_points(plan.duration_s, plan.interval_s);
    DriftResult result;
    if (context.size() == 1) { // nothing to compare with
        return result;
    }
    context.transport().library_barrier();
    result.series = gather_series(context, measure_series(context.transport(), plan), n);
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

void write(record::JsonWriter& json, const DriftPlan& plan, const DriftResult& result) {
    json.member("interval_s", plan.interval_s).member("duration_s", plan.duration_s);
    json.member("offset", to_string(plan.offset.spec()));
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
