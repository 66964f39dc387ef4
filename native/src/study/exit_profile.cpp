#include "study/exit_profile.hpp"

#include "base/summary.hpp"

#include <cmath>
#include <numeric>

namespace ictus {

std::vector<double> differences(std::vector<double> from, std::span<const double> subtracted) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] -= subtracted[i];
    }
    return from;
}

ExitDelay delay_after(std::span<const double> own_s, std::span<const double> first_s) {
    const std::vector<double> after = differences({own_s.begin(), own_s.end()}, first_s);
    const auto n = static_cast<double>(after.size());
    const double mean = n > 0 ? std::accumulate(after.begin(), after.end(), 0.0) / n : undefined;
    double squares = 0.0;
    for (const double value : after) {
        squares += (value - mean) * (value - mean);
    }
    return {mean, n > 1 ? std::sqrt(squares / (n - 1)) : undefined};
}

} // namespace ictus
