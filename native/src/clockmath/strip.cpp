#include "clockmath/strip.hpp"

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

namespace {

/// Points nearest to an edge from which its density is estimated: few enough to belong to the edge, whatever shape the
/// delays have further away; enough to know it to some 20 %.
constexpr std::size_t near_points = 24;
constexpr double finest_s = 1e-10; ///< below any clock's resolution: ties must not make a density infinite

LocalTime mean_of_x(std::span<const Point> points) {
    double sum = 0.0;
    for (const Point& point : points) {
        sum += point.x - points.front().x;
    }
    return points.front().x + sum / static_cast<double>(points.size());
}

struct Corner {
    double x;
    double y;
};

/// One edge of the strip, seen as a ceiling: a floor is mirrored. Its numbers are seconds, from the centre and upwards.
class Edge {
public:
    Edge(std::span<const Point> points, std::span<const Point> corners, LocalTime centre, double sign)
        : sign_(sign), mean_x_(mean_of_x(points) - centre) {
        for (const Point& corner : corners) {
            corners_.push_back({corner.x - centre, sign * corner.y.s});
        }
    }

    /// The corner that the edge of `drift` touches.
    [[nodiscard]] const Corner& touched(double drift) const {
        return *std::min_element(corners_.begin(), corners_.end(), [&](const Corner& a, const Corner& b) {
            return a.y - sign_ * drift * a.x < b.y - sign_ * drift * b.x;
        });
    }
    /// Where the edge of `drift` is at the centre, in its own sense of up.
    [[nodiscard]] double height(double drift) const {
        const Corner& corner = touched(drift);
        return corner.y - sign_ * drift * corner.x;
    }
    /// Exponent of the likelihood per point a second.
    [[nodiscard]] double exponent(double drift) const { return height(drift) + sign_ * drift * mean_x_; }
    [[nodiscard]] double mean_x() const { return mean_x_; }
    [[nodiscard]] double sign() const { return sign_; }

    void add_slopes(std::vector<double>& slopes) const {
        for (std::size_t i = 1; i < corners_.size(); ++i) {
            slopes.push_back(sign_ * (corners_[i].y - corners_[i - 1].y) / (corners_[i].x - corners_[i - 1].x));
        }
    }

    /// Points per second of excess delay next to the edge of `drift`, all points together. Two of the nearest define
    /// the edge and say nothing.
    [[nodiscard]] double density(std::span<const Point> points, LocalTime centre, double drift) const {
        const std::size_t n = points.size();
        const std::size_t nearest = std::min(n, std::max<std::size_t>(4, std::min(near_points, n / 4)));
        const double edge = height(drift);
        std::vector<double> excess(nearest, endless); // a heap whose front is the farthest of them
        for (const Point& point : points) {
            const double one = sign_ * (point.y.s - drift * (point.x - centre)) - edge;
            if (one < excess.front()) {
                std::pop_heap(excess.begin(), excess.end());
                excess.back() = one;
                std::push_heap(excess.begin(), excess.end());
            }
        }
        return (static_cast<double>(nearest) - std::min(2.0, static_cast<double>(nearest) / 2)) /
               std::max(excess.front(), finest_s);
    }

private:
    std::vector<Corner> corners_;
    double sign_;
    double mean_x_;
};

struct Strip {
    Edge ceiling;
    Edge floor;
    double ceiling_density = 1.0;
    double floor_density = 1.0;

    [[nodiscard]] double exponent(double drift) const {
        return ceiling_density * ceiling.exponent(drift) + floor_density * floor.exponent(drift);
    }
    /// The middle at the centre, given the drift; on average each edge lies 1/density beyond the nearest point.
    [[nodiscard]] double middle(double drift) const {
        return (ceiling.height(drift) - floor.height(drift)) / 2 - (1.0 / ceiling_density - 1.0 / floor_density) / 2;
    }
    /// Variance of the middle, given the drift.
    [[nodiscard]] double variance() const {
        return (1.0 / (ceiling_density * ceiling_density) + 1.0 / (floor_density * floor_density)) / 4;
    }
};

Strip make_strip(const Constraints& points, const Constraints& corners, LocalTime centre) {
    return {{points.ceiling, corners.ceiling, centre, 1.0}, {points.floor, corners.floor, centre, -1.0}};
}

void measure_densities(Strip& strip, const Constraints& points, LocalTime centre, double drift) {
    strip.ceiling_density = strip.ceiling.density(points.ceiling, centre, drift);
    strip.floor_density = strip.floor.density(points.floor, centre, drift);
}

LocalTime centre_of(const Constraints& points) { return midpoint(mean_of_x(points.ceiling), mean_of_x(points.floor)); }

std::size_t likeliest(const Strip& strip, const std::vector<double>& slopes) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < slopes.size(); ++i) {
        if (strip.exponent(slopes[i]) > strip.exponent(slopes[best])) {
            best = i;
        }
    }
    return best;
}

} // namespace

OffsetLine strip_line(const Constraints& points, const Constraints& corners) {
    const LocalTime centre = centre_of(points);
    Strip strip = make_strip(points, corners, centre);
    std::vector<double> slopes;
    strip.ceiling.add_slopes(slopes);
    strip.floor.add_slopes(slopes);
    std::sort(slopes.begin(), slopes.end());
    measure_densities(strip, points, centre, slopes[likeliest(strip, slopes)]);
    const std::size_t peak = likeliest(strip, slopes);
    const double top = strip.exponent(slopes[peak]);

    // Drifts are relative to the likeliest one, for the sake of digits.
    PieceSums sums;
    const auto add = [&](std::size_t from, double length, double direction) {
        const double begin = slopes[from];
        const double inside = begin + direction * std::min(length, 1.0 / (std::abs(begin) + 1.0)) / 2;
        const double distance = direction * (inside - begin);
        if (!(distance > 0.0)) {
            return; // two edges of one slope
        }
        sums.add({.begin = begin - slopes[peak],
                  .direction = direction,
                  .length = length,
                  .log_height = strip.exponent(begin) - top,
                  .decay = (strip.exponent(begin) - strip.exponent(inside)) / distance,
                  .value = strip.middle(begin),
                  .value_slope = (strip.middle(inside) - strip.middle(begin)) / (inside - begin)});
    };
    for (std::size_t i = peak; i + 1 < slopes.size(); ++i) {
        add(i, slopes[i + 1] - slopes[i], 1.0);
    }
    for (std::size_t i = peak; i > 0; --i) {
        add(i, slopes[i] - slopes[i - 1], -1.0);
    }
    add(slopes.size() - 1, endless, 1.0);
    add(0, endless, -1.0);
    const PieceMoments moments = sums.moments();
    return {.at = centre,
            .offset = ClockOffset(moments.value),
            .drift = slopes[peak] + moments.position,
            .offset_variance = moments.value_variance + strip.variance(),
            .covariance = moments.covariance,
            .drift_variance = moments.position_variance};
}

OffsetLine strip_line(const Constraints& points, const Constraints& corners, double drift) {
    const LocalTime centre = centre_of(points);
    Strip strip = make_strip(points, corners, centre);
    measure_densities(strip, points, centre, drift);
    return {
        .at = centre, .offset = ClockOffset(strip.middle(drift)), .drift = drift, .offset_variance = strip.variance()};
}

} // namespace ictus
