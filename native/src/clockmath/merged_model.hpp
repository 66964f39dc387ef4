// The errors of merged clock models. Algorithms that learn edge by edge and merge afterwards (netgauge, hca, hca2)
// carry the uncertainty of each model along.
//
// Write s21, i21 for the slope and intercept from clock 2 to clock 1, s32, i32 from clock 3 to clock 2, each a function
// of the clock that is mapped. The merged model (clockmath/clock_model) is
//     s31 = s21 + s32 - s21 s32
//     i31 = i21 + i32 - i32 s21.
// Hunold and Carpen-Amarie 2016 have i21 s32 as the second product in their eq. (1) and (2), for they write offsets as
// functions of the reference's clock; the local-clock form has i32 s21, and everything below follows from it.
//
// Errors are combined in two ways:
//   Intervals, however the edges depend on each other (their eq. (2) in this form): both sums add end to end,
//   and of each product the largest (for the lower end) or the smallest (for the upper end) of the four that its
//   factors' ends can form is taken off. Widths add up along the way: at confidence 95 % an edge they are too wide
//   for 95 % of the whole.
//   Standard errors, for edges that are measured independently of each other: with all second moments,
//     var s31 = (1 - s32)^2 var s21 + (1 - s21)^2 var s32 + var s21 var s32
//     var i31 = var i21 - 2 i32 cov(s21, i21) + i32^2 var s21 + (1 - s21)^2 var i32 + var s21 var i32
//     cov(s31, i31) = (1 - s32) (cov(s21, i21) - i32 var s21) + (1 - s21)^2 cov(s32, i32) + var s21 cov(s32, i32).
//   An edge's own slope and intercept are tightly correlated (the line is known best where it was measured, and x = 0
//   lies far from there), and with offsets of seconds the term in i32^2 is not small: without the covariance it would
//   be counted at the wrong distance.
#pragma once

#include "base/summary.hpp"
#include "clockmath/clock_model.hpp"

namespace ictus {

/// Of a slope, or of an intercept in seconds.
struct ConfidenceInterval {
    double low = undefined;
    double high = undefined;
};

/// Where slope and intercept lie with the confidence that their edges' intervals have; NaN where nothing is known.
struct ModelInterval {
    ConfidenceInterval slope;
    ConfidenceInterval intercept;
};

/// Eq. (2). Same order as compose() of models.
[[nodiscard]] ModelInterval compose(const ModelInterval& near, const ModelInterval& far);

/// Half a 95 % confidence interval in standard errors, for the many points of a fit.
inline constexpr double deviations_95 = 1.959963984540054;

/// A model over one or more edges of a tree. By default the way from the root to itself, which has no error.
struct MergedModel {
    ClockModel model;
    double slope_variance = 0.0;
    double covariance = 0.0; ///< of slope and intercept
    double intercept_variance = 0.0;
    ModelInterval interval{{0.0, 0.0}, {0.0, 0.0}}; ///< 95 % an edge
    int n_edges = 0;
    /// The mean of the edges' times. Each edge's error grows from its own time on, so that of independent edges is
    /// least at the mean.
    ReferenceTime at{};

    [[nodiscard]] double slope_error() const;
    [[nodiscard]] double intercept_error() const;
};

/// One edge: its offset has the standard error `offset_error` at local time `at`, independent of that of its slope.
[[nodiscard]] MergedModel edge_model(const ClockModel& model, LocalTime at, double offset_error, double slope_error);

/// Along a way from the root: `near` clock 2 to clock 1, `far` clock 3 to clock 2.
[[nodiscard]] MergedModel compose(const MergedModel& near, const MergedModel& far);

/// The merged slope through an offset that was measured against the root itself: `offset`, with its standard error, at
/// local time `at`.
[[nodiscard]] MergedModel anchored(const MergedModel& merged, LocalTime at, ClockOffset offset, double offset_error);

} // namespace ictus
