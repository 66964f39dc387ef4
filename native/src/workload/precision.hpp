// The precision of the mean or the median of the values so far, by which the repetitions decide. Python has the same
// definitions (ictus.stats.nrep). An undefined value is NaN, which is never small enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

/// Running mean and standard error, by Welford's recurrence: no values are stored, nothing cancels.
class RunningMean {
public:
    void add(double value);
    [[nodiscard]] std::size_t n() const { return n_; }
    [[nodiscard]] double mean() const { return mean_; }
    /// Of the mean: the values' standard deviation over the root of n; NaN below two values.
    [[nodiscard]] double standard_error() const;

private:
    std::size_t n_ = 0;
    double mean_ = 0.0;
    double squares_ = 0.0; ///< sum of squared deviations from the mean
};

/// error / mean; NaN where the mean is not above zero.
[[nodiscard]] double relative(double error, double mean);

/// Standard deviation over mean of a few values; NaN below two.
[[nodiscard]] double coefficient_of_variation(std::span<const double> values);

/// All prefixes of a sequence: the mean and the median after every value.
class Prefixes {
public:
    void add(double value);
    /// Relative standard error of the mean of those inside Tukey's inner fences; NaN below two.
    [[nodiscard]] double rse() const;
    /// Coefficient of variation of the means after n, n-1, ..., n-window+1 values; NaN where there are fewer.
    [[nodiscard]] double cov_mean(std::size_t window) const;
    [[nodiscard]] double cov_median(std::size_t window) const;

private:
    double sum_ = 0.0;
    std::vector<double> sorted_;
    std::vector<double> means_;
    std::vector<double> medians_;
};

/// The z below which a standard normal value stays with this probability, in (0, 1).
[[nodiscard]] double normal_quantile(double probability);

/// The t for which a Student variable with this many degrees of freedom (1 or more) lies within -t and t with
/// probability `level`, in (0, 1): half the width of a two-sided interval in standard errors.
[[nodiscard]] double student_two_sided(double level, std::uint64_t degrees);

} // namespace ictus
