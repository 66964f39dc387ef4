// The assumptions of a bound, as the user states them; recorded with every result.
#pragma once

#include "base/parameter.hpp"
#include "base/summary.hpp"
#include "clockmath/error_bound.hpp"
#include "clockmath/strip_fit.hpp"

namespace ictus {

/// Two kinds of bound. Without an assumption on the links it is proven: no ping-pong can know which share of a round
/// trip was the way there. Where the user states how much the shortest ways there and back can differ, the bound is
/// half of that, plus `deviations` standard deviations of the estimate.
struct BoundRule {
    bool proven = true;
    double asymmetry_s = 0.0;
    double deviations = 5.0;
    double wander = 0.0; ///< largest change of a drift in time t is wander sqrt(t); ratio per root second

    explicit BoundRule(const Bound& bound)
        : proven(bound.is_auto("asymmetry")), asymmetry_s(proven ? 0.0 : bound.real("asymmetry")),
          deviations(bound.real("deviations")), wander(bound.real("wander")) {}

    /// Of the fitted line over local time. NaN where the exchanges contradict each other, whatever is assumed.
    [[nodiscard]] ErrorBound of(const StripFit& fit) const {
        const OffsetLine& line = fit.line;
        if (proven) {
            return {.at = fit.end, .half_width = fit.half_width, .slope = fit.slope, .wander = wander};
        }
        return {.at = line.at,
                .half_width = std::isnan(fit.half_width) ? undefined : asymmetry_s / 2,
                .slope = 0.0,
                .wander = wander,
                .offset_variance = line.offset_variance,
                .covariance = line.covariance,
                .drift_variance = line.drift_variance,
                .deviations = deviations};
    }
};

/// The parameters that a member with such bounds declares.
inline constexpr Parameter asymmetry_parameter = {
    .name = "asymmetry",
    .type = Parameter::Type::duration,
    .default_value = "auto",
    .help = "largest difference between the shortest way there and the shortest way back, which narrows the bound; "
            "auto: nothing is assumed, and the bound is proven",
    .minimum = 0,
    .maximum = 3600,
    .allows_auto = true};
inline constexpr Parameter deviations_parameter = {.name = "deviations",
                                                   .type = Parameter::Type::real,
                                                   .default_value = "5",
                                                   .help = "with a stated asymmetry: standard deviations in the bound",
                                                   .minimum = 1,
                                                   .maximum = 100};
inline constexpr Parameter wander_parameter = {
    .name = "wander",
    .type = Parameter::Type::rate,
    .default_value = "0.01ppm",
    .help = "largest wander that the bound allows for: a drift changes by at most this times the square root of the "
            "seconds",
    .minimum = 0,
    .maximum = 0.001};

} // namespace ictus
