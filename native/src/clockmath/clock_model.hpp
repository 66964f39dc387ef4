// Clock model: an affine map from one clock's local reading to its reference's time, kept as two small numbers so that
// nothing cancels: to_reference(x) = x - (slope * x + intercept). slope * x + intercept is the offset "client minus
// reference".
#pragma once

namespace ictus {

struct ClockModel {
    double slope = 0.0;     ///< drift, a plain ratio (1e-6 = 1 ppm)
    double intercept = 0.0; ///< seconds

    [[nodiscard]] constexpr double offset_at(double local) const { return slope * local + intercept; }
    [[nodiscard]] constexpr double to_reference(double local) const { return local - offset_at(local); }
    /// The local reading at which to_reference gives `reference`.
    [[nodiscard]] constexpr double to_local(double reference) const {
        return reference + (slope * reference + intercept) / (1.0 - slope);
    }
    friend constexpr bool operator==(const ClockModel&, const ClockModel&) = default;
};

/// `near` maps clock 2 to clock 1, `far` maps clock 3 to clock 2; the result maps clock 3 to clock 1:
/// near(far(x)) = x - (s_n + s_f - s_n s_f) x - (i_n + i_f - i_f s_n).
[[nodiscard]] constexpr ClockModel compose(const ClockModel& near, const ClockModel& far) {
    return {near.slope + far.slope - near.slope * far.slope,
            near.intercept + far.intercept - far.intercept * near.slope};
}

/// The model between two calibrations (Doleschal et al. 2008 do this for traces). `opening` was exact at local time
/// `opened`; at local time `closed` it was found to be ahead of the reference by `residual` seconds. The error is
/// spread in proportion to the time since the opening, so a drift that changes meanwhile costs second order only.
[[nodiscard]] constexpr ClockModel interpolate(const ClockModel& opening, double opened, double closed,
                                               double residual) {
    if (closed <= opened) {
        return opening;
    }
    const double rate = residual / (closed - opened);
    return {opening.slope + rate, opening.intercept - rate * opened};
}

} // namespace ictus
