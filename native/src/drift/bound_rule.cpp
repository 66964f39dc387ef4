#include "drift/bound_rule.hpp"

#include <cmath>

namespace ictus {

ErrorBound BoundRule::of(const StripFit& fit) const {
    const OffsetLine& line = fit.line;
    if (!proven) {
        return {.at = line.at,
                .half_width = asymmetry_s / 2,
                .slope = 0.0,
                .wander = wander,
                .offset_variance = line.offset_variance,
                .covariance = line.covariance,
                .drift_variance = line.drift_variance,
                .deviations = deviations};
    }
    // The line is that of the middle of the learning time, and the drift may have changed since.
    const double since = std::abs(fit.end - line.at);
    return {.at = fit.end,
            .half_width = fit.half_width + 2.0 / 3.0 * wander * since * std::sqrt(since),
            .slope = fit.slope,
            .wander = wander};
}

} // namespace ictus
