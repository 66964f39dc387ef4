#include "clocksync/edge_sweeps.hpp"

#include "offset/burst.hpp"
#include "transport/control.hpp"

#include <cmath>
#include <limits>

namespace ictus::clocksync {
namespace {

/// A parent's way to the root, told in the root's time.
struct Handed {
    ClockModel model;
    ErrorBound bound;
    double drift_variance;
};

/// More sweeps that narrow the bound by less than this share have met its floor: half the shortest round trip.
constexpr double worthwhile = 0.95;

} // namespace

EdgeSweeps::EdgeSweeps(Transport& transport, const SweepSettings& settings)
    : transport_(transport), settings_(settings),
      slots_(tree_slots(transport.size(), transport.rank(), settings.arity)), entered_(transport.now()),
      best_bound_s_(std::numeric_limits<double>::infinity()) {}

Synchronised EdgeSweeps::learn() {
    sweep(settings_.fitpoints);
    Synchronised own = settle();
    while (settings_.target_s > 0.0 && wants_more(own)) {
        sweep(sweeps_); // twice the exchanges over twice the time
        own = settle();
    }
    return own;
}

/// Every rank keeps the pace by its own clock: if only one waited, the others' first message of each sweep would lie
/// in a queue.
void EdgeSweeps::sweep(std::uint64_t count) {
    const double pace = settings_.fitpoints > 1 ? settings_.span_s / static_cast<double>(settings_.fitpoints - 1) : 0.0;
    for (std::uint64_t i = 0; i < count; ++i, ++sweeps_) {
        if (sweeps_ > 0 && pace > 0.0) {
            transport_.wait_until(paced_from_ + pace * static_cast<double>(sweeps_));
        }
        for (const auto& meeting : slots_) {
            if (meeting) {
                offset::burst(transport_, *meeting, settings_.exchanges, points_);
            }
        }
        if (sweeps_ == 0) {
            paced_from_ = transport_.now();
        }
    }
}

Synchronised EdgeSweeps::settle() {
    if (settings_.drift_known) {
        const StripFit fit = is_client() ? fit_strip(points_, 0.0) : StripFit{};
        return hand_down(fit, settings_.rule.of(fit));
    }
    StripFit fit = is_client() ? fit_strip(points_) : StripFit{};
    ErrorBound edge = settings_.rule.of(fit);
    if (settings_.slope_test && drifts_are_noise(fit) && is_client()) {
        // The bound still allows for the drift that was found: that there is none is likely, not proven.
        const StripFit level = fit_strip(points_, 0.0);
        edge.half_width += std::abs(level.line(edge.at) - fit.line(edge.at));
        edge.slope += std::abs(fit.line.drift);
        fit.line.offset = level.line.offset;
        fit.line.at = level.line.at;
        fit.line.drift = 0.0;
    }
    return hand_down(fit, edge);
}

/// One verdict for all edges: where clocks run at one rate, all do. Under that hypothesis the squares of
/// drift / standard deviation have mean 1 and, the errors being of Laplace's kind, variance 5.
bool EdgeSweeps::drifts_are_noise(const StripFit& fit) {
    const double variance = fit.line.drift_variance;
    double square = is_client() ? fit.line.drift * fit.line.drift / variance : 0.0;
    if (is_client() && !(variance > 0.0)) {
        square = fit.line.drift == 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    control::reduce(transport_, std::span(&square, 1), [](double& into, double from) { into += from; });
    const double edges = transport_.size() - 1;
    return control::broadcast_value(transport_, square <= edges + 3.0 * std::sqrt(5.0 * edges));
}

Synchronised EdgeSweeps::hand_down(const StripFit& fit, const ErrorBound& edge) {
    Synchronised own;
    own.at = transport_.now();
    own.bound = {.at = own.at.s, .half_width = 0.0};
    own.slope_error = 0.0;
    for (const auto& meeting : slots_) {
        if (!meeting || meeting->role != Role::client) {
            continue;
        }
        auto parent = receive_value<Handed>(transport_, meeting->peer);
        own.model = compose(parent.model, {fit.line.drift, fit.line(0.0)});
        parent.bound.at = own.model.to_local(parent.bound.at);
        own.bound = add(parent.bound, edge);
        own.at = {fit.end};
        own.slope_error = std::sqrt(parent.drift_variance + fit.line.drift_variance);
    }
    Handed handed{own.model, own.bound, own.slope_error * own.slope_error};
    handed.bound.at = own.model.to_reference(own.bound.at);
    for (const auto& meeting : slots_) {
        if (meeting && meeting->role == Role::reference) {
            send_value(transport_, meeting->peer, handed);
        }
    }
    return own;
}

bool EdgeSweeps::wants_more(const Synchronised& own) {
    double bound = own.bound(transport_.now().s);
    control::reduce(transport_, std::span(&bound, 1), [](double& into, double from) { into = std::max(into, from); });
    const bool more = bound > settings_.target_s && transport_.now() - entered_ < settings_.limit_s &&
                      !(bound > worthwhile * best_bound_s_);
    best_bound_s_ = bound;
    return control::broadcast_value(transport_, more);
}

} // namespace ictus::clocksync
