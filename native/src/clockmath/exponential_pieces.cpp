#include "clockmath/exponential_pieces.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {
namespace {

/// Integrals of u^j exp(-k u) over 0..h, j = 0, 1, 2.
struct Integrals {
    double zeroth;
    double first;
    double second;
};

Integrals integrate(double k, double h) {
    constexpr double short_piece = 0.1; // below, the closed form cancels
    if (k * h < short_piece) {
        Integrals sums{0.0, 0.0, 0.0};
        double term = 1.0; // (-k h)^i / i!
        for (int i = 0; i < 8; ++i) {
            sums.zeroth += term / (i + 1);
            sums.first += term / (i + 2);
            sums.second += term / (i + 3);
            term *= -k * h / (i + 1);
        }
        return {h * sums.zeroth, h * h * sums.first, h * h * h * sums.second};
    }
    const double left = std::exp(-k * h);
    const double rest = left > 0.0 ? h * left : 0.0; // an endless piece leaves nothing
    const double zeroth = (1.0 - left) / k;
    const double first = (zeroth - rest) / k;
    return {zeroth, first, (2.0 * first - (left > 0.0 ? h * rest : 0.0)) / k};
}

} // namespace

void PieceSums::add(const ExponentialPiece& piece) {
    if (empty_) {
        origin_ = piece.value;
        empty_ = false;
    }
    if (piece.length <= 0.0 || (piece.length == endless && piece.decay <= 0.0)) {
        return;
    }
    const Integrals u = integrate(std::max(piece.decay, 0.0), piece.length);
    const double scale = std::exp(piece.log_height);
    const double b = piece.begin;
    const double d = piece.direction;
    const double v = piece.value - origin_;
    const double s = piece.value_slope * piece.direction;
    weight_ += scale * u.zeroth;
    position_ += scale * (b * u.zeroth + d * u.first);
    value_ += scale * (v * u.zeroth + s * u.first);
    position_squares_ += scale * (b * b * u.zeroth + 2.0 * b * d * u.first + u.second);
    value_squares_ += scale * (v * v * u.zeroth + 2.0 * v * s * u.first + s * s * u.second);
    products_ += scale * (b * v * u.zeroth + (b * s + d * v) * u.first + d * s * u.second);
}

PieceMoments PieceSums::moments() const {
    const double position = position_ / weight_;
    const double value = value_ / weight_;
    return {position, origin_ + value, std::max(0.0, position_squares_ / weight_ - position * position),
            std::max(0.0, value_squares_ / weight_ - value * value), products_ / weight_ - position * value};
}

} // namespace ictus
