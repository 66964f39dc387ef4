#include "study/exit_profile.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {
namespace {

struct FirstAndLast {
    std::vector<double> first;
    std::vector<double> last;
};

/// The first and the last rank's time of each repetition.
FirstAndLast over_ranks(std::span<const double> times_s, std::size_t n_ranks) {
    const std::size_t n = times_s.size() / n_ranks;
    FirstAndLast extent{{times_s.begin(), times_s.begin() + static_cast<std::ptrdiff_t>(n)}, {}};
    extent.last = extent.first;
    for (std::size_t i = n; i < times_s.size(); ++i) {
        extent.first[i % n] = std::min(extent.first[i % n], times_s[i]);
        extent.last[i % n] = std::max(extent.last[i % n], times_s[i]);
    }
    return extent;
}

std::vector<double> difference(std::vector<double> from, const std::vector<double>& subtracted) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        from[i] -= subtracted[i];
    }
    return from;
}

} // namespace

ExitProfile profile_exits(std::span<const double> times_s, std::size_t n_ranks) {
    const std::size_t n = times_s.size() / n_ranks;
    const FirstAndLast extent = over_ranks(times_s, n_ranks);
    ExitProfile profile;
    for (std::size_t rank = 0; rank < n_ranks; ++rank) {
        const auto own = times_s.subspan(rank * n, n);
        const std::vector<double> after = difference({own.begin(), own.end()}, extent.first);
        double sum = 0.0;
        for (const double value : after) {
            sum += value;
        }
        const double mean = n > 0 ? sum / static_cast<double>(n) : undefined;
        double squares = 0.0;
        for (const double value : after) {
            squares += (value - mean) * (value - mean);
        }
        profile.mean_s.push_back(mean);
        profile.sd_s.push_back(n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : undefined);
    }
    profile.skew_s = difference(extent.last, extent.first);
    return profile;
}

std::vector<double> durations_of(std::span<const double> entered_s, std::span<const double> left_s,
                                 std::size_t n_ranks) {
    return difference(over_ranks(left_s, n_ranks).last, over_ranks(entered_s, n_ranks).first);
}

} // namespace ictus
