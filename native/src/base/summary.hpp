// The few statistics that the core itself needs: for the table of the stand-alone tool, warm-ups and per-rank
// summaries. Judging is Python's (ictus.stats); the definitions are the same, and a test compares the two.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace ictus {

/// No data, or nothing proven: NaN, never zero, and null in JSON.
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// The larger of two bounds; NaN if one of them is: where one rank has no proof, all together have none. std::max drops
/// a NaN or keeps it, as its arguments come.
[[nodiscard]] inline double larger_or_none(double one, double other) {
    return std::isnan(one) || one >= other ? one : other;
}

/// Of the values as given; all NaN where there are none.
struct Summary {
    std::size_t n = 0;
    double mean = undefined;
    double min = undefined;
    double max = undefined;
    double median = undefined;
};

[[nodiscard]] Summary summarise(std::vector<double> values);

/// Quantile with linear interpolation between order statistics (type 7, as numpy and R by default). `sorted` is
/// ascending, not empty.
[[nodiscard]] double quantile(const std::vector<double>& sorted, double probability);

/// Mean of the values inside Tukey's inner fences, Q1 - 1.5 IQR and Q3 + 1.5 IQR, values on a fence included. Not
/// empty.
[[nodiscard]] double mean_inside_fences(std::vector<double> values);

/// The largest value inside Tukey's outer fence, Q3 + 3 IQR, but at most five times the median: where other
/// programs use our cores, more than a quarter of the values may be stalls, and the fence moves out with them. Not
/// empty.
[[nodiscard]] double largest_undisturbed(std::vector<double> values);

} // namespace ictus
