#include "clocksync/edge_sweeps.hpp"

#include "clocksync/tree_walks.hpp"
#include "offset/burst.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus::clocksync {
namespace {

/// `chosen` with a bound that still allows for the measured drift: the other drift is likely, not proven.
Synchronised allowing_for(Synchronised chosen, const Synchronised& found) {
    const LocalTime at = found.bound.at;
    chosen.bound = found.bound;
    chosen.bound.half_width += std::abs(chosen.model.offset_at(at) - found.model.offset_at(at));
    chosen.bound.slope += std::abs(chosen.model.slope - found.model.slope);
    chosen.slope_error = found.slope_error; // a drift that is set to 0 is not known better
    return chosen;
}

constexpr int attempts = 3; ///< to learn without a contradiction

/// The bound has met its floor, half the shortest round trip, when this many doublings of the sweeps in a row did not
/// narrow it to this share.
constexpr int patience = 3;
constexpr double worthwhile = 0.95;

} // namespace

EdgeSweeps::EdgeSweeps(Transport& transport, const SweepSettings& settings)
    : transport_(transport), settings_(settings),
      slots_(tree_slots(transport.size(), transport.rank(), settings.arity)), entered_(transport.now()),
      best_bound_s_(std::numeric_limits<double>::infinity()) {}

Synchronised EdgeSweeps::learn() {
    Synchronised own = attempt();
    for (int n_contradicted = 1; n_contradicted < attempts && contradicted_anywhere(own); ++n_contradicted) {
        begin_anew();
        own = attempt();
        own.n_contradicted = n_contradicted;
    }
    return own;
}

/// A step is over by the next attempt. Clocks that wander more than allowed for contradict every one.
bool EdgeSweeps::contradicted_anywhere(const Synchronised& own) {
    return std::isnan(control::largest(transport_, own.bound.half_width + own.bound.slope));
}

void EdgeSweeps::begin_anew() {
    entered_ = transport_.now();
    sweeps_ = 0;
    best_bound_s_ = std::numeric_limits<double>::infinity();
    fruitless_ = 0;
    points_ = {};
}

Synchronised EdgeSweeps::attempt() {
    sweep(settings_.fitpoints);
    Synchronised own = settle();
    while (const std::uint64_t more = settings_.target_s > 0.0 ? further_sweeps(own) : 0) {
        sweep(more);
        own = settle();
    }
    return own;
}

/// Every rank waits by its own clock: if only one waited, the first message of the others would lie in a queue in each
/// sweep. A single rank has no edge to learn and waits for nothing.
void EdgeSweeps::sweep(std::uint64_t count) {
    if (transport_.size() == 1) {
        return;
    }
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
    const KnownOfClock level{.drift = 0.0, .wander = settings_.rule.wander};
    if (settings_.drift_known) {
        const StripFit fit = is_client() ? fit_strip(points_, level) : StripFit{};
        return hand_down(fit, settings_.rule.of(fit));
    }
    const StripFit fit = is_client() ? fit_strip(points_, {.wander = level.wander}) : StripFit{};
    Synchronised own = hand_down(fit, settings_.rule.of(fit));
    if (!settings_.slope_test) {
        return own;
    }
    const Drifts drifts{{fit.line.drift, std::sqrt(fit.line.drift_variance)}, {own.model.slope, own.slope_error}, true};
    const double spread = spread_of_all(drifts);
    if (spread == 0.0) {
        const StripFit flat = is_client() ? fit_strip(points_, level) : StripFit{};
        return allowing_for(hand_down(flat, settings_.rule.of(flat)), own);
    }
    const double likely = is_client() ? shrunk(drifts.way, spread) : 0.0;
    Synchronised chosen = own; // turned about the middle of the exchanges, where the offset is known best
    chosen.model = model_through(fit.line.at, own.model.offset_at(fit.line.at), likely);
    return allowing_for(chosen, own);
}

/// One decision for all ranks: where some clocks run at one rate, mostly all do. The drifts of the edges show whether
/// there is any drift at all; the spread is that of the ways to the root, for their drifts are shrunk.
double EdgeSweeps::spread_of_all(const Drifts& own) {
    std::vector<Drifts> all(static_cast<std::size_t>(transport_.size()));
    all[static_cast<std::size_t>(transport_.rank())] = own;
    control::reduce(transport_, std::span(all), [](Drifts& into, const Drifts& from) {
        into = from.known ? from : into; // each rank fills its own entry
    });
    std::vector<FoundDrift> edges;
    std::vector<FoundDrift> ways;
    for (std::size_t i = 1; i < all.size(); ++i) { // the root has no edge
        edges.push_back(all[i].edge);
        ways.push_back(all[i].way);
    }
    const bool none = is_client() || may_all_be_errors(edges);
    return control::broadcast_value(transport_, none ? 0.0 : variance_of_drifts(ways));
}

Synchronised EdgeSweeps::hand_down(const StripFit& fit, const ErrorBound& edge) {
    Synchronised own = root_of(transport_);
    for (const auto& meeting : slots_) {
        if (meeting && meeting->role == Role::client) {
            const Synchronised learnt{
                {fit.line.drift, fit.line(LocalTime{})}, fit.end, std::sqrt(fit.line.drift_variance), edge};
            own = continued(receive_value<Synchronised>(transport_, meeting->peer), learnt);
        }
    }
    for (const auto& meeting : slots_) {
        if (meeting && meeting->role == Role::reference) {
            send_value(transport_, meeting->peer, own);
        }
    }
    return own;
}

std::uint64_t EdgeSweeps::further_sweeps(const Synchronised& own) {
    double bound = own.bound(transport_.now());
    control::reduce(transport_, std::span(&bound, 1), [](double& into, double from) {
        into = std::isnan(into) || from <= into ? into : from; // a NaN of any rank stays: nothing is proven there
    });
    // A proof that exchanges contradict stays contradicted by more of them: the bound cannot be reached.
    const bool contradicted = std::isnan(bound);
    fruitless_ = bound > worthwhile * best_bound_s_ ? fruitless_ + 1 : 0;
    best_bound_s_ = std::min(best_bound_s_, bound);
    const bool goes_on = !contradicted && bound > settings_.target_s && fruitless_ < patience;
    // Twice the exchanges over twice the time, or as many as the limit allows.
    const double spent = transport_.now() - entered_;
    const double room = std::clamp((settings_.limit_s - spent) / spent, 0.0, 1.0);
    const auto more = goes_on ? static_cast<std::uint64_t>(room * static_cast<double>(sweeps_)) : 0;
    return control::broadcast_value(transport_, more); // rank 0 decides for all
}

} // namespace ictus::clocksync
