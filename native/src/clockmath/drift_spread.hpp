// How far the true drifts spread, estimated from measured drifts and their errors. A measured drift is shrunk towards 0
// by this spread.
#pragma once

#include <vector>

namespace ictus {

struct FoundDrift {
    double drift = 0.0;
    double error = 0.0; ///< standard deviation
};

/// Whether there may be no drift at all, from sums: ranks add up their drifts on the way to the root. The errors must
/// be independent: those of a tree's edges are.
struct DriftSums {
    double n = 0.0;
    double squares = 0.0; ///< of drift / error, no single one above 9

    [[nodiscard]] static DriftSums of(const FoundDrift& found);
    [[nodiscard]] friend DriftSums operator+(const DriftSums& one, const DriftSums& other) {
        return {one.n + other.n, one.squares + other.squares};
    }
    [[nodiscard]] bool may_all_be_errors() const;
};

/// The variance of true drifts that this drift alone suggests; below 0 where its error is larger than itself, infinite
/// where it has none.
[[nodiscard]] double suggested_variance(const FoundDrift& found);

/// Variance of the true drifts, from what each suggests: 0 where the errors explain all, infinite where an error is 0.
/// An empirical Bayes estimate (Morris 1983) by the median: errors have long tails, and the few largest must not
/// decide. It is the variance for which the median of drift^2 / (error^2 + variance) is as expected; each of these
/// falls as the variance grows, so it is the median of the variances that the drifts suggest (of an even number the
/// upper one). The errors may depend on each other.
[[nodiscard]] double variance_of_drifts(std::vector<double> suggested);

/// The likely drift: the larger its error is against the spread of all, the more it is shrunk towards 0.
[[nodiscard]] double shrunk(const FoundDrift& found, double variance);

} // namespace ictus
