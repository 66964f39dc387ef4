#include "clockmath/strip_fit.hpp"

#include "clockmath/burst_line.hpp"
#include "clockmath/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus {
namespace {

constexpr std::size_t fewest_to_choose = 64;

Constraints corners_of(const Constraints& points) { return {upper_hull(points.floor), lower_hull(points.ceiling)}; }

/// Standard deviation of the drift over `parts` interleaved parts of the exchanges, each with a strip of its own.
double scatter_of_parts(const Constraints& points, std::size_t parts) {
    std::vector<double> drifts;
    for (std::size_t part = 0; part < parts; ++part) {
        Constraints own;
        for (std::size_t i = part; i < points.floor.size(); i += parts) {
            own.floor.push_back(points.floor[i]);
            own.ceiling.push_back(points.ceiling[i]);
        }
        drifts.push_back(strip_line(own, corners_of(own)).drift);
    }
    double mean = 0.0;
    for (const double drift : drifts) {
        mean += drift / static_cast<double>(parts);
    }
    double squares = 0.0;
    for (const double drift : drifts) {
        squares += (drift - mean) * (drift - mean);
    }
    return std::sqrt(squares / static_cast<double>(parts - 1));
}

/// The error of the strip's drift over all exchanges, extrapolated from parts of an eighth and of a 32nd (of few
/// exchanges, a quarter and a 16th).
double extrapolated_error(const Constraints& points) {
    const std::size_t coarse = points.floor.size() >= 256 ? 8 : 4;
    const double near = scatter_of_parts(points, coarse);
    const double far = scatter_of_parts(points, 4 * coarse);
    if (near <= 0.0 || far <= 0.0) {
        return 0.0; // no delay ever differed
    }
    const double rate = std::clamp(std::log(far / near) / std::log(4.0), 0.0, 1.0);
    return near * std::pow(static_cast<double>(coarse), -rate);
}

/// How much more the middles of consecutive parts deviate from the line than with independent delays: the mean square
/// over the stated variance. On a disturbed machine the shortest delay itself changes with time, which interleaved
/// parts cannot see.
double excess_deviation(const Constraints& points, const OffsetLine& line) {
    constexpr std::size_t parts = 8;
    const std::size_t length = points.floor.size() / parts;
    double sum = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
        const auto begin = static_cast<std::ptrdiff_t>(part * length);
        const auto end = begin + static_cast<std::ptrdiff_t>(length);
        const Constraints own{{points.floor.begin() + begin, points.floor.begin() + end},
                              {points.ceiling.begin() + begin, points.ceiling.begin() + end}};
        const OffsetLine level = strip_line(own, corners_of(own), line.drift);
        const double deviation = level.offset - line(level.at);
        sum += deviation * deviation / level.offset_variance;
    }
    return sum / static_cast<double>(parts - 2);
}

/// Variance of the drift that the steps of the clocks leave: an edge that touches a rounded stamp at either end.
double variance_of_rounding(const Constraints& points, double step) {
    const double length = points.ceiling.back().x - points.floor.front().x;
    const double turned = step / length; // both ends evenly within a step, half the length apart
    return 2.0 / 3.0 * turned * turned;
}

/// The line, turned and moved as far as the exchanges exclude it: one that they exclude is no estimate. As it is where
/// they contradict each other.
OffsetLine moved_between(const Constraints& corners, OffsetLine line) {
    const Interval<double> drifts = possible_drifts(corners);
    if (drifts.low > drifts.high) {
        return line;
    }
    line.drift = std::clamp(line.drift, drifts.low, drifts.high);
    ClockOffset low(-endless);
    ClockOffset high(endless);
    for (const Point& p : corners.floor) {
        low = std::max(low, p.y - line.drift * (p.x - line.at));
    }
    for (const Point& p : corners.ceiling) {
        high = std::min(high, p.y - line.drift * (p.x - line.at));
    }
    line.offset = std::clamp(line.offset, std::min(low, high), high);
    return line;
}

OffsetLine best_line(const Constraints& points, const Constraints& corners) {
    OffsetLine strip = moved_between(corners, strip_line(points, corners));
    if (points.floor.size() < fewest_to_choose) {
        return strip;
    }
    const double step = resolution_of(points);
    const OffsetLine bursts = moved_between(corners, burst_line(points, step));
    const double other = std::sqrt(bursts.drift_variance);
    double own = std::sqrt(strip.drift_variance + variance_of_rounding(points, step));
    if (other < own) {
        return bursts;
    }
    // Consecutive parts show delays that depend on each other. By chance alone they deviate by up to some 2.5 times the
    // stated variance.
    constexpr double chance = 2.5;
    const double excess = excess_deviation(points, strip);
    own *= std::sqrt(excess > chance ? excess : 1.0);
    if (other < own) {
        return bursts;
    }
    // Interleaved parts show delays that crowd less than the model assumes.
    const double extrapolated = extrapolated_error(points);
    if (other < extrapolated && other < 2.0 * own) {
        return bursts;
    }
    const double honest = std::max(own, extrapolated);
    const double doubt = strip.drift_variance > 0.0 ? honest * honest / strip.drift_variance : 1.0;
    strip.offset_variance *= doubt;
    strip.covariance *= doubt;
    strip.drift_variance *= doubt;
    return strip;
}

/// The constraints on the tangent at `end` to an offset whose drift wanders: a time t before, the tangent is at most
/// 2/3 wander t^1.5 from the offset, and each constraint is wider by that much.
Constraints loosened(const Constraints& points, double wander, LocalTime end) {
    Constraints wider = points;
    for (Point& point : wider.floor) {
        point.y = point.y - wander_bound(wander, end - point.x);
    }
    for (Point& point : wider.ceiling) {
        point.y = point.y + wander_bound(wander, end - point.x);
    }
    return wider;
}

StripFit with_proof(const OffsetLine& line, const Constraints& points, double wander) {
    StripFit fit{.line = line, .end = points.ceiling.back().x};
    const Constraints corners = corners_of(wander > 0.0 ? loosened(points, wander, fit.end) : points);
    const Interval<ClockOffset> offsets = possible_offsets(corners, fit.end);
    const Interval<double> drifts = possible_drifts(corners);
    fit.half_width = farthest(offsets, line(fit.end));
    fit.slope = farthest(drifts, line.drift);
    return fit;
}

} // namespace

StripFit fit_strip(const Constraints& points, const KnownOfClock& known) {
    const Constraints corners = corners_of(points);
    if (known.drift) {
        return with_proof(strip_line(points, corners, *known.drift), points, known.wander);
    }
    if (points.floor.size() < 2) {
        OffsetLine level = strip_line(points, corners, 0.0);
        level.drift_variance = std::numeric_limits<double>::infinity();
        return with_proof(level, points, known.wander);
    }
    return with_proof(best_line(points, corners), points, known.wander);
}

} // namespace ictus
