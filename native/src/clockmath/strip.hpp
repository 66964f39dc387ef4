// The line through the middle of the strip between a floor and a ceiling, and how sure it is.
//
// Messages are delayed by a least time and some more. So the ceiling's points lie above the line o + w + d x, the
// floor's below o - w + d x, and near these two edges they lie most densely. If the excess delays near the edges are
// taken as exponential with n r_c and n r_f points a second, the likelihood of a drift d, the two edges integrated out,
// is
//     exp(n r_c (A(d) + d X_c) - n r_f (B(d) + d X_f)),
// where A(d) is the highest edge of drift d below the ceiling, B(d) the lowest above the floor, and X the mean times:
// the exponent is concave and linear between the slopes of the hulls' edges, so its moments are sums over the edges.
// Their mean is the best estimate under squared error (Pitman 1939) and errs like 1/n, where averages err like
// 1/sqrt(n).
#pragma once

#include "clockmath/hull.hpp"

namespace ictus {

/// offset(x) = offset + drift (x - at), with the variances of what chance left open.
struct OffsetLine {
    double at = 0.0;
    double offset = 0.0;
    double drift = 0.0;
    double offset_variance = 0.0;
    double covariance = 0.0;
    double drift_variance = 0.0;

    [[nodiscard]] double operator()(double x) const { return offset + drift * (x - at); }
};

/// n exchanges, sorted by time: floor[i] and ceiling[i] are of the same one. At least 2, over more than one instant.
[[nodiscard]] OffsetLine strip_line(const Constraints& points, const Constraints& corners);

/// The same with a drift that is known.
[[nodiscard]] OffsetLine strip_line(const Constraints& points, const Constraints& corners, double drift);

} // namespace ictus
