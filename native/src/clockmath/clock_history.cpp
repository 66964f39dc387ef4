#include "clockmath/clock_history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus {
namespace {

constexpr LocalTime forever{std::numeric_limits<double>::infinity()};

} // namespace

void ClockHistory::add(LocalTime at, const ClockModel& model, const ErrorBound& bound) {
    if (!spans_.empty()) {
        Span& before = spans_.back();
        const double residual = before.model.to_global(at) - model.to_global(at);
        before.model = interpolate(before.model, before.begin, at, residual);
        before.end = at;
        before.end_bound = bound(at);
    }
    spans_.push_back({at, forever, model, bound, 0.0});
    last_ = model;
}

void ClockHistory::reanchor(LocalTime at, double residual, const ErrorBound& proven) {
    ClockModel model = last_;
    model.intercept = model.intercept + residual;
    // The drift may have changed by wander sqrt(t) since it was learnt; and sqrt(t + u) <= sqrt(t) + sqrt(u).
    const ErrorBound& learnt = spans_.back().bound;
    ErrorBound bound;
    bound.at = at;
    bound.half_width = proven.half_width;
    bound.slope = learnt.slope + learnt.wander * std::sqrt(std::max(at - learnt.at, 0.0));
    bound.wander = learnt.wander;
    bound.offset_variance = proven.offset_variance; // its chance is independent of the drift's
    bound.drift_variance = learnt.drift_variance;
    bound.deviations = std::max(proven.deviations, learnt.deviations);
    add(at, model, bound);
}

double ClockHistory::bound(LocalTime local) const {
    const Span& in = span(local);
    if (in.end == forever || local < in.begin) {
        return in.bound(local);
    }
    // The straight line carries the errors of both ends; between them the clock can leave the line.
    const double length = in.end - in.begin;
    const double share = (local - in.begin) / length;
    const double ends = (1.0 - share) * in.bound(in.begin) + share * in.end_bound;
    return ends + interpolation_bound(in.bound.wander, length, share);
}

const ClockHistory::Span& ClockHistory::span(LocalTime local) const {
    const auto later = std::upper_bound(spans_.begin(), spans_.end(), local,
                                        [](LocalTime time, const Span& one) { return time < one.begin; });
    return later == spans_.begin() ? spans_.front() : *std::prev(later);
}

} // namespace ictus
