#include "clockmath/linear_fit.hpp"

#include <cmath>
#include <limits>

namespace ictus {
namespace {

double mean(std::span<const double> values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

} // namespace

LinearFit fit_line(std::span<const double> x, std::span<const double> y) {
    const double x_mean = mean(x);
    const double y_mean = mean(y);
    double sxx = 0.0;
    double sxy = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sxx += (x[i] - x_mean) * (x[i] - x_mean);
        sxy += (x[i] - x_mean) * (y[i] - y_mean);
    }
    constexpr double unknown = std::numeric_limits<double>::infinity();
    if (sxx <= 0.0) {
        return {0.0, y_mean, unknown, x_mean, unknown};
    }
    const double slope = sxy / sxx;
    if (x.size() < 3) {
        return {slope, y_mean - slope * x_mean, unknown, x_mean, unknown};
    }
    double squares = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double residual = (y[i] - y_mean) - slope * (x[i] - x_mean);
        squares += residual * residual;
    }
    const double variance = squares / static_cast<double>(x.size() - 2);
    const double center_error = std::sqrt(variance / static_cast<double>(x.size()));
    return {slope, y_mean - slope * x_mean, std::sqrt(variance / sxx), x_mean, center_error};
}

} // namespace ictus
