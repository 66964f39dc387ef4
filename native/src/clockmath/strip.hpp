// The widest strip between two sets of points, and the exponential pieces that weigh its edges.
#pragma once

#include "clockmath/hull.hpp"

#include <limits>

namespace ictus {

// Moments of a density that is exponential piece by piece, and of a value that is linear on each piece.

inline constexpr double endless = std::numeric_limits<double>::infinity();

/// On the piece, u from 0 to `length` away from `begin`: the density is exp(log_height - decay u), decay >= 0, and the
/// value is value + value_slope * direction * u.
struct ExponentialPiece {
    double begin;
    double direction; ///< +1 or -1
    double length;    ///< endless only with a decay above 0
    double log_height;
    double decay;
    double value;
    double value_slope;
};

struct PieceMoments {
    double position = 0.0;
    double value = 0.0;
    double position_variance = 0.0;
    double value_variance = 0.0;
    double covariance = 0.0;
};

class PieceSums {
public:
    void add(const ExponentialPiece& piece);
    /// Needs a piece of positive weight.
    [[nodiscard]] PieceMoments moments() const;

private:
    double origin_ = 0.0; ///< the first piece's value: variances are taken about it, for the sake of digits
    bool empty_ = true;
    double weight_ = 0.0;
    double position_ = 0.0;
    double value_ = 0.0;
    double position_squares_ = 0.0;
    double value_squares_ = 0.0;
    double products_ = 0.0;
};

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

/// offset(x) = offset + drift (x - at), with the variances that chance leaves.
struct OffsetLine {
    LocalTime at{};
    ClockOffset offset{};
    double drift = 0.0;
    double offset_variance = 0.0;
    double covariance = 0.0;
    double drift_variance = 0.0;

    [[nodiscard]] ClockOffset operator()(LocalTime x) const { return offset + drift * (x - at); }
};

/// n exchanges, sorted by time: floor[i] and ceiling[i] are of the same one. At least 2, over more than one instant.
[[nodiscard]] OffsetLine strip_line(const Constraints& points, const Constraints& corners);

/// The same with a drift that is known.
[[nodiscard]] OffsetLine strip_line(const Constraints& points, const Constraints& corners, double drift);

} // namespace ictus
