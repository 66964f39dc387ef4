// How far the true drifts spread, estimated from measured drifts and their errors. A measured drift is shrunk towards 0
// by this spread.
#pragma once

#include <span>

namespace ictus {

struct FoundDrift {
    double drift = 0.0;
    double error = 0.0; ///< standard deviation
};

/// Whether there may be no drift at all. The errors must be independent: those of a tree's edges are.
[[nodiscard]] bool may_all_be_errors(std::span<const FoundDrift> found);

/// Variance of the true drifts: 0 where the errors explain all, infinite where an error is 0. An empirical Bayes
/// estimate (Morris 1983) by the median: errors have long tails, and the few largest must not decide. The errors may
/// depend on each other.
[[nodiscard]] double variance_of_drifts(std::span<const FoundDrift> found);

/// The likely drift: the larger its error is against the spread of all, the more it is shrunk towards 0.
[[nodiscard]] double shrunk(const FoundDrift& found, double variance);

} // namespace ictus
