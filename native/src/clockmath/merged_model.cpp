#include "clockmath/merged_model.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {
namespace {

/// All products of a value in one interval and a value in the other.
ConfidenceInterval product(const ConfidenceInterval& a, const ConfidenceInterval& b) {
    const auto [low, high] = std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return {low, high};
}

ConfidenceInterval sum_less_product(const ConfidenceInterval& a, const ConfidenceInterval& b,
                                    const ConfidenceInterval& ab) {
    return {a.low + b.low - ab.high, a.high + b.high - ab.low};
}

ConfidenceInterval around(double middle, double standard_error) {
    return {middle - deviations_95 * standard_error, middle + deviations_95 * standard_error};
}

} // namespace

ModelInterval compose(const ModelInterval& near, const ModelInterval& far) {
    return {sum_less_product(near.slope, far.slope, product(near.slope, far.slope)),
            sum_less_product(near.intercept, far.intercept, product(far.intercept, near.slope))};
}

double MergedModel::slope_error() const { return std::sqrt(slope_variance); }
double MergedModel::intercept_error() const { return std::sqrt(intercept_variance); }

MergedModel edge_model(const ClockModel& model, LocalTime at, double offset_error, double slope_error) {
    MergedModel edge;
    edge.model = model;
    edge.slope_variance = slope_error * slope_error;
    // intercept = offset - slope * at
    edge.covariance = -at.s * edge.slope_variance;
    edge.intercept_variance = offset_error * offset_error + at.s * at.s * edge.slope_variance;
    edge.interval = {around(model.slope, slope_error), around(model.intercept.s, edge.intercept_error())};
    edge.n_edges = 1;
    edge.at = model.to_reference(at);
    return edge;
}

MergedModel compose(const MergedModel& near, const MergedModel& far) {
    const double near_rate = 1.0 - near.model.slope;
    const double far_rate = 1.0 - far.model.slope;
    const double far_intercept = far.model.intercept.s;
    MergedModel merged;
    merged.model = compose(near.model, far.model);
    merged.slope_variance = far_rate * far_rate * near.slope_variance + near_rate * near_rate * far.slope_variance +
                            near.slope_variance * far.slope_variance;
    merged.intercept_variance = near.intercept_variance - 2.0 * far_intercept * near.covariance +
                                far_intercept * far_intercept * near.slope_variance +
                                near_rate * near_rate * far.intercept_variance +
                                near.slope_variance * far.intercept_variance;
    merged.covariance = far_rate * (near.covariance - far_intercept * near.slope_variance) +
                        near_rate * near_rate * far.covariance + near.slope_variance * far.covariance;
    merged.interval = compose(near.interval, far.interval);
    merged.n_edges = near.n_edges + far.n_edges;
    if (merged.n_edges > 0) {
        const ReferenceTime far_at =
            near.model.to_reference(as_own(far.at)); // the far edges' reference is near's client
        merged.at = ReferenceTime((near.n_edges * near.at.s + far.n_edges * far_at.s) / merged.n_edges);
    }
    return merged;
}

MergedModel anchored(const MergedModel& merged, LocalTime at, ClockOffset offset, double offset_error) {
    const ClockModel model = model_through(at, offset, merged.model.slope);
    MergedModel direct = edge_model(model, at, offset_error, merged.slope_error());
    const ConfidenceInterval fresh = around(offset.s, offset_error);
    const ConfidenceInterval grown = product(merged.interval.slope, {at.s, at.s});
    direct.interval = {merged.interval.slope, {fresh.low - grown.high, fresh.high - grown.low}};
    return direct;
}

} // namespace ictus
