#include "base/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ictus {

double quantile(const std::vector<double>& sorted, double probability) {
    const double position = probability * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Summary summarise(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    std::sort(values.begin(), values.end());
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {values.size(), sum / static_cast<double>(values.size()), values.front(), values.back(),
            quantile(values, 0.5)};
}

double mean_inside_fences(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const double q1 = quantile(values, 0.25);
    const double q3 = quantile(values, 0.75);
    const double reach = 1.5 * (q3 - q1);
    const auto first = std::lower_bound(values.begin(), values.end(), q1 - reach);
    const auto end = std::upper_bound(values.begin(), values.end(), q3 + reach);
    return std::accumulate(first, end, 0.0) / static_cast<double>(end - first);
}

double largest_undisturbed(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const double q1 = quantile(values, 0.25);
    const double q3 = quantile(values, 0.75);
    constexpr double most_medians = 5.0;
    const double fence = std::min(q3 + 3.0 * (q3 - q1), most_medians * quantile(values, 0.5));
    return *std::prev(std::upper_bound(values.begin(), values.end(), fence));
}

} // namespace ictus
