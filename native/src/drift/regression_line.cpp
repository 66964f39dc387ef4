#include "drift/regression_line.hpp"

#include "clockmath/linear_fit.hpp"

#include <cmath>
#include <numbers>

namespace ictus::drift {

RegressionRule::RegressionRule(const Bound& bound)
    : fitpoints(bound.count("fitpoints")), span_s(bound.real("span")), reanchor(bound.flag("reanchor")),
      slope_test(bound.flag("slope_test")) {}

void RegressionRule::keep_pace(Transport& transport, std::uint64_t i, LocalTime first) const {
    if (i > 0 && span_s > 0.0) {
        transport.wait_until(first + span_s * (static_cast<double>(i) / static_cast<double>(fitpoints - 1)));
    }
}

void RegressionLine::add(const OffsetSample& sample) {
    at_.push_back(sample.at.s);
    offsets_.push_back(sample.offset.s);
}

LearnedModel RegressionLine::learned(bool slope_test) const {
    const LinearFit fit = fit_line(at_, offsets_);
    LearnedModel learned{.model = {fit.slope, ClockOffset(fit.intercept)},
                         .slope_error = fit.slope_error,
                         .at = LocalTime(fit.center),
                         .offset_error = fit.center_error};
    if (slope_test && std::abs(fit.slope) < fit.slope_error) {
        learned.model = {0.0, ClockOffset(fit.slope * fit.center + fit.intercept)}; // the mean offset
    }
    return learned;
}

double offset_error(const OffsetSample& sample) { return sample.bound * std::numbers::inv_sqrt3; }

LearnedModel anchored(const LearnedModel& learned, const OffsetSample& fresh) {
    LearnedModel moved = learned;
    moved.model = model_through(fresh.at, fresh.offset, learned.model.slope);
    moved.bound = offset_bound(fresh);
    moved.at = fresh.at;
    moved.offset_error = offset_error(fresh);
    return moved;
}

} // namespace ictus::drift
