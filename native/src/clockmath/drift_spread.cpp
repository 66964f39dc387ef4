#include "clockmath/drift_spread.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus {
namespace {

/// Median of |error| / standard deviation: between Laplace's 0.49 and Gauss's 0.67.
constexpr double median_ratio = 0.6;
constexpr double unlimited = std::numeric_limits<double>::infinity();
/// Larger ratios carry no information: the tails are long.
constexpr double largest_square = 9.0;

} // namespace

DriftSums DriftSums::of(const FoundDrift& found) {
    const double square = found.drift * found.drift / (found.error * found.error);
    return {1.0, found.drift == 0.0 ? 0.0 : std::min(square, largest_square)};
}

bool DriftSums::may_all_be_errors() const {
    // Squares of drift / error have mean 1 if there is no drift, and variance 5 if the errors are of Laplace's kind.
    return squares <= n + 3.0 * std::sqrt(5.0 * n);
}

double suggested_variance(const FoundDrift& found) {
    if (!(found.error > 0.0)) {
        return unlimited;
    }
    return found.drift * found.drift / (median_ratio * median_ratio) - found.error * found.error;
}

double variance_of_drifts(std::vector<double> suggested) {
    if (suggested.empty()) {
        return 0.0;
    }
    if (std::any_of(suggested.begin(), suggested.end(), [](double one) { return !(one < unlimited); })) {
        return unlimited;
    }
    const auto middle = suggested.begin() + static_cast<std::ptrdiff_t>(suggested.size() / 2);
    std::nth_element(suggested.begin(), middle, suggested.end());
    return std::max(*middle, 0.0);
}

double shrunk(const FoundDrift& found, double variance) {
    if (!std::isfinite(variance) || !(found.error > 0.0)) {
        return found.drift;
    }
    return variance > 0.0 ? found.drift * variance / (variance + found.error * found.error) : 0.0;
}

} // namespace ictus
