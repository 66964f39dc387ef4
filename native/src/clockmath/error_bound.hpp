// How far a global clock may be from the root's, as a function of the time since it was learnt. Proven parts add up
// along a tree; parts that rest on independent chance add up in squares.
#pragma once

#include "base/summary.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {

/// How far an offset can be from its tangent, `t` seconds away: its drift changes by at most wander sqrt(t) in that
/// time.
[[nodiscard]] inline double wander_bound(double wander, double t) {
    const double length = std::abs(t);
    return 2.0 / 3.0 * wander * length * std::sqrt(length);
}

/// By default of a clock that is not synchronised: NaN at all times.
struct ErrorBound {
    LocalTime at{};                ///< from which the bound grows
    double half_width = undefined; ///< proven at `at`, seconds
    double slope = 0.0;            ///< proven growth, a plain ratio; NaN: nothing is proven of other times than `at`
    double wander = 0.0;           ///< largest change of the drift in time dt is wander sqrt(dt); ratio per root second
    /// Chance: the bound has `deviations` standard deviations of offset_at + drift * (time - at).
    double offset_variance = 0.0;
    double covariance = 0.0;
    double drift_variance = 0.0;
    double deviations = 0.0;

    /// The bound at a local time, seconds; before `at` as long after it.
    [[nodiscard]] double operator()(LocalTime local) const {
        const double t = std::abs(local - at);
        const double growth = t > 0.0 ? slope * t : 0.0; // a bound holds at its own time, even if the slope is NaN
        const double variance = offset_variance + 2.0 * covariance * (local - at) + drift_variance * t * t;
        return half_width + growth + deviations * std::sqrt(std::max(variance, 0.0)) + wander_bound(wander, t);
    }
};

/// The bound of a clock learnt from a reference that has a bound of its own. Both `at` are local times of the learner.
/// The wander belongs to the two clocks at the ends, whatever lies between them: it does not add up. But the
/// reference's drift may have changed by the time of the edge.
[[nodiscard]] inline ErrorBound add(const ErrorBound& reference, const ErrorBound& edge) {
    const double shift = edge.at - reference.at; // moves the reference's variance to the edge's time
    ErrorBound sum = edge;
    // A bound holds at its own time, even if the slope is NaN.
    const double growth = shift != 0.0 ? reference.slope * std::abs(shift) : 0.0;
    sum.half_width += reference.half_width + growth + wander_bound(reference.wander, shift);
    sum.slope += reference.slope + reference.wander * std::sqrt(std::abs(shift));
    sum.wander = std::max(reference.wander, edge.wander);
    sum.offset_variance +=
        reference.offset_variance + 2.0 * reference.covariance * shift + reference.drift_variance * shift * shift;
    sum.covariance += reference.covariance + reference.drift_variance * shift;
    sum.drift_variance += reference.drift_variance;
    sum.deviations = std::max(reference.deviations, edge.deviations);
    return sum;
}

/// A drift, and how far from it the true one can be; NaN: nothing is proven.
struct ProvenDrift {
    double slope = 0.0;
    double width = undefined;
};

/// Of two measurements of one drift: their mean, with weights as if the widths were standard errors, and what both
/// prove of it. Where nothing is proven of one, the first.
[[nodiscard]] inline ProvenDrift mean_of(const ProvenDrift& first, const ProvenDrift& second) {
    const double share = first.width * first.width / (first.width * first.width + second.width * second.width);
    if (!(share > 0.0)) {
        return first;
    }
    const double apart = second.slope - first.slope;
    return {first.slope + share * apart,
            std::min(first.width + share * std::abs(apart), second.width + (1.0 - share) * std::abs(apart))};
}

/// How far an offset can be from the straight line between its values at two times `length` seconds apart, at a `share`
/// of the way: t (T - t) / T times the largest change of the drift in T.
[[nodiscard]] inline double interpolation_bound(double wander, double length, double share) {
    return wander * std::sqrt(length) * share * (1.0 - share) * length;
}

} // namespace ictus
