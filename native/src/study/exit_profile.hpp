// How much later each rank is than the first, over the repetitions. Hunold and Carpen-Amarie
// 2016, Fig. 10 (the mean of each rank), and Schuchart, Hunold, Bosilca 2023, sec. 2.2 (the skew of each repetition).
#pragma once

#include <span>
#include <vector>

namespace ictus {

/// Of one rank, over repetitions: seconds after the first rank of the same repetition.
struct ExitDelay {
    double mean_s;
    double sd_s; ///< sample standard deviation; NaN for fewer than two
};

/// `own_s` and `first_s` are this rank's and the first rank's times of each repetition. NaN for no repetitions.
[[nodiscard]] ExitDelay delay_after(std::span<const double> own_s, std::span<const double> first_s);

/// `from` minus `subtracted`, one by one.
[[nodiscard]] std::vector<double> differences(std::vector<double> from, std::span<const double> subtracted);

} // namespace ictus
