// Least squares for a straight line, with standard errors.
#pragma once

#include <span>

namespace ictus {

struct LinearFit {
    double slope = 0.0;
    double intercept = 0.0;
    double slope_error = 0.0; ///< standard error of the slope; infinite below three points or without spread in x
    double center = 0.0;      ///< mean of x, where the line is known best
    /// Standard error of the line at `center`, independent of the slope's; infinite as above.
    double center_error = 0.0;
};

/// Fits y ~ slope * x + intercept. x and y have equal length, at least 1. Sums are taken about the means, so that large
/// x (seconds since the epoch) cost no digits. One distinct x gives slope 0 and the mean.
[[nodiscard]] LinearFit fit_line(std::span<const double> x, std::span<const double> y);

} // namespace ictus
