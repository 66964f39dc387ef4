// Clock model: an affine map from a rank's own time to its reference's, kept as two small numbers so that nothing
// cancels: to_reference(x) = x - offset_at(x), offset_at(x) = slope * x + intercept.
#pragma once

#include "base/time.hpp"

namespace ictus {

struct ClockModel {
    double slope = 0.0;      ///< drift, a plain ratio (1e-6 = 1 ppm)
    ClockOffset intercept{}; ///< the offset at local time 0

    [[nodiscard]] constexpr ClockOffset offset_at(LocalTime local) const {
        return ClockOffset(slope * local.s + intercept.s);
    }
    [[nodiscard]] constexpr ReferenceTime to_reference(LocalTime local) const { return local - offset_at(local); }
    /// The local time at which to_reference gives `reference`.
    [[nodiscard]] constexpr LocalTime to_local(ReferenceTime reference) const {
        return LocalTime(reference.s + (slope * reference.s + intercept.s) / (1.0 - slope));
    }

    // Of a model whose reference is the root: the root's own time is the global time.
    [[nodiscard]] constexpr GlobalTime to_global(LocalTime local) const { return GlobalTime(to_reference(local).s); }
    [[nodiscard]] constexpr LocalTime to_local(GlobalTime global) const { return to_local(ReferenceTime(global.s)); }

    friend constexpr bool operator==(const ClockModel&, const ClockModel&) = default;
};

/// The line of this slope through one offset.
[[nodiscard]] constexpr ClockModel model_through(LocalTime at, ClockOffset offset, double slope) {
    return {slope, ClockOffset(offset.s - slope * at.s)};
}

/// `near` maps clock 2 to clock 1, `far` maps clock 3 to clock 2; the result maps clock 3 to clock 1:
/// near(far(x)) = x - (s_n + s_f - s_n s_f) x - (i_n + i_f - i_f s_n).
[[nodiscard]] constexpr ClockModel compose(const ClockModel& near, const ClockModel& far) {
    return {near.slope + far.slope - near.slope * far.slope,
            ClockOffset(near.intercept.s + far.intercept.s - far.intercept.s * near.slope)};
}

/// The model between two calibrations (Doleschal et al. 2008 do this for traces). `opening` was exact at local time
/// `opened`; at local time `closed` it was ahead of the reference by `residual` seconds. The error is spread in
/// proportion to the time since the opening, so a drift that changes meanwhile costs second order only.
[[nodiscard]] constexpr ClockModel interpolate(const ClockModel& opening, LocalTime opened, LocalTime closed,
                                               double residual) {
    if (closed <= opened) {
        return opening;
    }
    const double rate = residual / (closed - opened);
    return {opening.slope + rate, opening.intercept - rate * opened.s};
}

} // namespace ictus
