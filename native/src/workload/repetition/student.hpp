// Quantiles of the normal distribution and of Student's t, for intervals that the core itself has to know.
#pragma once

#include <cstdint>

namespace ictus {

/// The z below which a standard normal value stays with this probability, in (0, 1).
[[nodiscard]] double normal_quantile(double probability);

/// The t for which a Student variable of so many degrees of freedom (1 or more) stays within -t and t with probability
/// `level`, in (0, 1): half the width of a two-sided interval in standard errors.
[[nodiscard]] double student_two_sided(double level, std::uint64_t degrees);

} // namespace ictus
