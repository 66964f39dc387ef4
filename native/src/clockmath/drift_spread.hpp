// How far true drifts spread when all that is known is found drifts and their errors: what a found drift is drawn to 0
// by.
#pragma once

#include <span>

namespace ictus {

struct FoundDrift {
    double drift = 0.0;
    double error = 0.0; ///< standard deviation
};

/// Whether there may be no drift at all. The errors must be independent: those of a tree's edges are.
[[nodiscard]] bool may_all_be_errors(std::span<const FoundDrift> found);

/// Variance of the true drifts, 0 where the errors explain all; infinite where an error is 0. An empirical Bayes
/// estimate (Morris 1983), by the median, so that the few largest errors, which have long tails, do not decide it. The
/// errors may depend on each other.
[[nodiscard]] double variance_of_drifts(std::span<const FoundDrift> found);

/// The likely drift: what was found, drawn to 0 as far as its error is large against the spread of all.
[[nodiscard]] double shrunk(const FoundDrift& found, double variance);

} // namespace ictus
