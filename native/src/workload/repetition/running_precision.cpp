#include "workload/repetition/running_precision.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus {
namespace {

constexpr double no_precision = std::numeric_limits<double>::quiet_NaN();

struct MeanAndDeviation {
    double mean;
    double deviation;
};

/// In two passes. Two values or more.
MeanAndDeviation mean_and_deviation(std::span<const double> values) {
    const auto n = static_cast<double>(values.size());
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    const double mean = sum / n;
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return {mean, std::sqrt(squares / (n - 1.0))};
}

double variation_of_last(const std::vector<double>& values, std::size_t window) {
    return values.size() < window ? no_precision : coefficient_of_variation(std::span(values).last(window));
}

} // namespace

void RunningMean::add(double value) {
    ++n_;
    const double from_before = value - mean_;
    mean_ += from_before / static_cast<double>(n_);
    squares_ += from_before * (value - mean_);
}

double RunningMean::standard_error() const {
    const auto n = static_cast<double>(n_);
    return n_ < 2 ? no_precision : std::sqrt(squares_ / (n - 1.0) / n);
}

double relative(double error, double mean) { return mean > 0.0 ? error / mean : no_precision; }

double coefficient_of_variation(std::span<const double> values) {
    if (values.size() < 2) {
        return no_precision;
    }
    const MeanAndDeviation found = mean_and_deviation(values);
    return relative(found.deviation, found.mean);
}

void Prefixes::add(double value) {
    sum_ += value;
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), value), value);
    means_.push_back(sum_ / static_cast<double>(sorted_.size()));
    medians_.push_back(quantile(sorted_, 0.5));
}

double Prefixes::rse() const {
    if (sorted_.size() < 2) {
        return no_precision;
    }
    const double q1 = quantile(sorted_, 0.25);
    const double q3 = quantile(sorted_, 0.75);
    const double reach = 1.5 * (q3 - q1);
    const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), q1 - reach);
    const auto end = std::upper_bound(first, sorted_.end(), q3 + reach);
    const std::span<const double> inside(first, end);
    if (inside.size() < 2) {
        return no_precision;
    }
    const MeanAndDeviation found = mean_and_deviation(inside);
    return relative(found.deviation / std::sqrt(static_cast<double>(inside.size())), found.mean);
}

double Prefixes::cov_mean(std::size_t window) const { return variation_of_last(means_, window); }

double Prefixes::cov_median(std::size_t window) const { return variation_of_last(medians_, window); }

} // namespace ictus
