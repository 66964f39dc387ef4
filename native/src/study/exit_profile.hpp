// How much later each rank is than the first, over the repetitions. Hunold and Carpen-Amarie
// 2016, Fig. 10 (the mean of each rank), and Schuchart, Hunold, Bosilca 2023, sec. 2.2 (the skew of each repetition).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ictus {

/// Seconds.
struct ExitProfile {
    std::vector<double> mean_s; ///< of each rank, over repetitions: time after the first rank of the same repetition
    std::vector<double> sd_s;   ///< of each rank: sample standard deviation of the same; NaN for fewer than two
    std::vector<double> skew_s; ///< of each repetition: last minus first
};

/// `times_s` holds the repetitions of rank 0, then those of rank 1, ...: `n_ranks` times the same number. Means of no
/// repetitions are NaN.
[[nodiscard]] ExitProfile profile_exits(std::span<const double> times_s, std::size_t n_ranks);

/// Of each repetition: the last of `left_s` minus the first of `entered_s`; both laid out as above.
[[nodiscard]] std::vector<double> durations_of(std::span<const double> entered_s, std::span<const double> left_s,
                                               std::size_t n_ranks);

} // namespace ictus
