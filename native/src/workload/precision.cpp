#include "workload/precision.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ictus {
namespace {
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
    return values.size() < window ? undefined : coefficient_of_variation(std::span(values).last(window));
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
    return n_ < 2 ? undefined : std::sqrt(squares_ / (n - 1.0) / n);
}

double relative(double error, double mean) { return mean > 0.0 ? error / mean : undefined; }

double coefficient_of_variation(std::span<const double> values) {
    if (values.size() < 2) {
        return undefined;
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
        return undefined;
    }
    const double q1 = quantile(sorted_, 0.25);
    const double q3 = quantile(sorted_, 0.75);
    const double reach = 1.5 * (q3 - q1);
    const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), q1 - reach);
    const auto end = std::upper_bound(first, sorted_.end(), q3 + reach);
    const std::span<const double> inside(first, end);
    if (inside.size() < 2) {
        return undefined;
    }
    const MeanAndDeviation found = mean_and_deviation(inside);
    return relative(found.deviation / std::sqrt(static_cast<double>(inside.size())), found.mean);
}

double Prefixes::cov_mean(std::size_t window) const { return variation_of_last(means_, window); }

double Prefixes::cov_median(std::size_t window) const { return variation_of_last(medians_, window); }

namespace {

// Up to 1,000 degrees of freedom the two-sided probability is a finite trigonometric series in theta = atan(t /
// sqrt(nu)) of positive terms only (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4), so
// that nothing cancels; its inverse is found by Newton's method between bounds. Above, the quantile is an expansion in
// 1/nu around the normal one (26.7.5), whose first term left out is below 1e-12 of it up to a level of 0.9999.

constexpr std::uint64_t most_terms = 1000;
constexpr double half_pi = std::numbers::pi / 2.0;

/// P(|T| <= sqrt(degrees) tan(theta)).
double student_within(double theta, std::uint64_t degrees) {
    const double cosine = std::cos(theta);
    const double square = cosine * cosine;
    const bool is_odd = degrees % 2 == 1;
    double term = is_odd ? cosine : 1.0;
    double sum = degrees == 1 ? 0.0 : term;
    for (std::uint64_t k = is_odd ? 3 : 2; k < degrees; k += 2) {
        term *= square * static_cast<double>(k - 1) / static_cast<double>(k);
        sum += term;
    }
    return is_odd ? (theta + std::sin(theta) * sum) / half_pi : std::sin(theta) * sum;
}

/// The derivative of the same by theta: cos^(degrees - 1) over its integral from 0 to pi/2.
double student_slope(double theta, std::uint64_t degrees) {
    const auto nu = static_cast<double>(degrees);
    const double log_integral = 0.5 * std::log(std::numbers::pi) + std::lgamma(nu / 2.0) - std::lgamma(nu / 2.0 + 0.5);
    return 2.0 * std::exp((nu - 1.0) * std::log(std::cos(theta)) - log_integral);
}

double invert_series(double level, std::uint64_t degrees) {
    double low = 0.0;
    double high = half_pi;
    double theta = std::atan(normal_quantile(0.5 + level / 2.0) / std::sqrt(static_cast<double>(degrees)));
    for (int i = 0; i < 200; ++i) { // at worst a bisection down to the last bit
        const double excess = student_within(theta, degrees) - level;
        (excess > 0.0 ? high : low) = theta;
        double next = theta - excess / student_slope(theta, degrees);
        if (!(next > low && next < high)) {
            next = 0.5 * (low + high);
        }
        if (std::abs(next - theta) <= 1e-16 * theta) {
            break;
        }
        theta = next;
    }
    return std::sqrt(static_cast<double>(degrees)) * std::tan(theta);
}

/// Abramowitz and Stegun 26.7.5, with four corrections.
double expand(double z, double nu) {
    const double s = z * z;
    const double g1 = (s + 1.0) / 4.0;
    const double g2 = ((5.0 * s + 16.0) * s + 3.0) / 96.0;
    const double g3 = (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) / 384.0;
    const double g4 = ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) / 92160.0;
    return z * (1.0 + (g1 + (g2 + (g3 + g4 / nu) / nu) / nu) / nu);
}

} // namespace

double normal_quantile(double probability) {
    if (probability < 0.5) {
        return -normal_quantile(1.0 - probability);
    }
    // Newton's method on the upper tail, which is concave from 0 on: from below it never overshoots.
    const double tail = 1.0 - probability;
    double z = 0.0;
    for (int i = 0; i < 100; ++i) {
        const double excess = 0.5 * std::erfc(z / std::numbers::sqrt2) - tail;
        const double step = excess * std::sqrt(2.0 * std::numbers::pi) * std::exp(0.5 * z * z);
        z += step;
        if (std::abs(step) <= 1e-16 * z) {
            break;
        }
    }
    return z;
}

double student_two_sided(double level, std::uint64_t degrees) {
    return degrees <= most_terms ? invert_series(level, degrees)
                                 : expand(normal_quantile(0.5 + level / 2.0), static_cast<double>(degrees));
}

} // namespace ictus
