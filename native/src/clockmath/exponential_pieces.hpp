// Moments of a density that is exponential piece by piece, and of a value that is linear on each piece.
#pragma once

#include <limits>

namespace ictus {

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

} // namespace ictus
