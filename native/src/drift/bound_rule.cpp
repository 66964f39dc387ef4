#include "drift/bound_rule.hpp"

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
    return {.at = fit.end, .half_width = fit.half_width, .slope = fit.slope, .wander = wander};
}

} // namespace ictus
