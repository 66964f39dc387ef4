#include "clockmath/drift_spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ictus {
namespace {

/// Median of |error| / standard deviation: between Laplace's 0.49 and Gauss's 0.67.
constexpr double median_ratio = 0.6;
/// Larger ratios carry no information: the tails are long.
constexpr double largest_square = 9.0;

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double median_square(std::span<const FoundDrift> found, double variance) {
    std::vector<double> squares;
    for (const FoundDrift& one : found) {
        squares.push_back(one.drift * one.drift / (one.error * one.error + variance));
    }
    return median(std::move(squares));
}

} // namespace

bool may_all_be_errors(std::span<const FoundDrift> found) {
    // Squares of drift / error have mean 1 if there is no drift, and variance 5 if the errors are of Laplace's kind.
    double sum = 0.0;
    for (const FoundDrift& one : found) {
        const double square = one.drift * one.drift / (one.error * one.error);
        sum += one.drift == 0.0 ? 0.0 : std::min(square, largest_square);
    }
    const auto n = static_cast<double>(found.size());
    return sum <= n + 3.0 * std::sqrt(5.0 * n);
}

double variance_of_drifts(std::span<const FoundDrift> found) {
    if (std::any_of(found.begin(), found.end(), [](const FoundDrift& one) { return !(one.error > 0.0); })) {
        return std::numeric_limits<double>::infinity();
    }
    constexpr double expected = median_ratio * median_ratio;
    if (found.empty() || median_square(found, 0.0) <= expected) {
        return 0.0;
    }
    // The median square falls as the variance grows: halve the interval until it holds to one part in a million.
    double low = 0.0;
    double high = 0.0;
    for (const FoundDrift& one : found) {
        high = std::max(high, one.drift * one.drift / expected);
    }
    for (int i = 0; i < 200 && high - low > 1e-6 * high; ++i) {
        const double middle = (low + high) / 2;
        (median_square(found, middle) > expected ? low : high) = middle;
    }
    return high;
}

double shrunk(const FoundDrift& found, double variance) {
    if (!std::isfinite(variance) || !(found.error > 0.0)) {
        return found.drift;
    }
    return variance > 0.0 ? found.drift * variance / (variance + found.error * found.error) : 0.0;
}

} // namespace ictus
