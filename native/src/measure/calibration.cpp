#include "measure/calibration.hpp"

#include "base/summary.hpp"
#include "transport/global_clock.hpp"

#include <algorithm>
#include <cmath>

namespace ictus {
namespace {

/// NaN where nothing is proven of the time that follows.
double bound_at(const ErrorBound& bound, LocalTime time) { return std::isnan(bound.slope) ? undefined : bound(time); }

/// Runs one measurement, with its time and messages. `measure()` returns the outcome.
template <class Measure>
Calibration calibrate(Transport& base, Measure measure) {
    const LocalTime begin = base.now();
    const std::uint64_t sent = base.messages_sent();
    Calibration calibration;
    calibration.result = measure();
    calibration.at = base.now();
    calibration.anchored = calibration.result.at;
    calibration.elapsed_s = calibration.at - begin;
    calibration.messages = base.messages_sent() - sent;
    calibration.bound_s = bound_at(calibration.result.bound, calibration.anchored);
    return calibration;
}

/// On clocks that follow `model`: the outcome is the model's error.
Calibration measure_again(LaunchContext& context, const ClockModel& model) {
    ModelledTransport modelled(context.transport(), model);
    Calibration found = calibrate(context.transport(), [&] { return context.clocksync().measure_again(modelled); });
    found.anchored = modelled.to_base(found.result.at);
    return found;
}

} // namespace

Calibration open_block(LaunchContext& context) {
    Transport& transport = context.transport();
    Calibration opening = calibrate(transport, [&] { return context.clocksync().synchronise(transport); });
    context.global_clock().set_model(opening.result.model);
    return opening;
}

Closing close_block(LaunchContext& context, const Calibration& opening) {
    Closing closing;
    closing.interpolates = context.clocksync().interpolates();
    if (!context.clocksync().synchronises()) {
        closing.measured.at = context.transport().now();
        return closing;
    }
    closing.measured = measure_again(context, opening.result.model);
    closing.extrapolated_residual_s = closing.measured.result.model.intercept.s;
    const Calibration check = measure_again(context, model_between(opening, closing));
    closing.interpolated_residual_s = check.result.model.intercept.s;
    closing.measured.at = check.at;
    closing.measured.elapsed_s += check.elapsed_s;
    closing.measured.messages += check.messages;
    closing.measured.result.n_contradicted =
        std::max(closing.measured.result.n_contradicted, check.result.n_contradicted);
    return closing;
}

ClockModel model_between(const Calibration& opening, const Closing& closing) {
    return closing.interpolates ? interpolate(opening.result.model, opening.anchored, closing.measured.anchored,
                                              closing.extrapolated_residual_s)
                                : opening.result.model;
}

double bound_between(const Calibration& opening, const Closing& closing) {
    if (!closing.interpolates) { // it grows until the end
        return bound_at(opening.result.bound, closing.measured.anchored);
    }
    const double time = std::max(0.0, closing.measured.anchored - opening.anchored);
    const double deviation = interpolation_bound(opening.result.bound.wander, time, 0.5); // it is largest in the middle
    const double ends[] = {opening.bound_s, closing.measured.bound_s};
    // Not std::max alone: it drops a NaN, and the root's bound is 0, not NaN.
    return std::isnan(ends[0]) || std::isnan(ends[1]) ? undefined : std::max(ends[0], ends[1]) + deviation;
}

Calibration reanchored(const Calibration& opening, const Closing& closing) {
    Calibration next = opening;
    next.at = closing.measured.at;
    next.anchored = closing.measured.anchored;
    next.elapsed_s = 0.0;
    next.messages = 0;
    if (!closing.interpolates) {
        next.bound_s = bound_at(opening.result.bound, next.anchored);
        return next;
    }
    // The drift between two offsets errs by what both err, over the time between them: after some seconds it is known
    // better than the slope that was learnt, after some milliseconds hardly at all.
    const ClockModel& model = opening.result.model;
    const LocalTime closed = closing.measured.anchored;
    const double time = closed - opening.anchored;
    const ProvenDrift learnt{model.slope, opening.result.bound.slope};
    const ProvenDrift seen{model.slope + closing.extrapolated_residual_s / time,
                           (opening.bound_s + closing.measured.bound_s) / time};
    const ProvenDrift both = time > 0.0 ? mean_of(learnt, seen) : learnt;
    next.result.model = model_through(closed, model.offset_at(closed) + closing.extrapolated_residual_s, both.slope);
    next.result.bound.slope = both.width + opening.result.bound.wander * std::sqrt(std::max(time, 0.0));
    next.bound_s = closing.measured.bound_s;
    return next;
}

} // namespace ictus
