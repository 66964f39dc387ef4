#include "clocksync/edge_sweeps.hpp"

#include "clockmath/tree_arity.hpp"
#include "clocksync/tree_walks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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

/// Their median counts, for the first finds cold caches. Of thousands of edges the slowest counts: a median of nine was
/// a third too slow there.
constexpr int pilot_exchanges = 21;

/// A bound has met its floor, half the shortest round trip, or an error the noise that lasts, when this many doublings
/// of the sweeps in a row did not bring it down to this share.
constexpr int patience = 3;
constexpr double worthwhile = 0.95;

double median_exchange(Transport& transport, int reference) {
    std::vector<double> lasted;
    for (int i = 0; i < pilot_exchanges; ++i) {
        const LocalTime begin = transport.now();
        (void)offset::ping(transport, reference, offset::Receiving::polling);
        lasted.push_back(transport.now() - begin);
    }
    return summarise(std::move(lasted)).median;
}

} // namespace

int find_arity(Transport& transport, const Domains& domains, const SweepSettings& settings) {
    if (settings.arity > 0) {
        return settings.arity;
    }
    const SweepTree pilot(transport, domains, 2);
    if (pilot.n_leaders() <= 2) { // they have one tree
        return 1;
    }
    double exchange_s = 0.0; // the root's, which is a client of nobody
    for (const auto& meeting : pilot.slots()) {
        if (meeting && meeting->role == Role::client) {
            exchange_s = median_exchange(transport, meeting->peer);
        }
        for (int i = 0; meeting && meeting->role == Role::reference && i < pilot_exchanges; ++i) {
            offset::pong(transport, meeting->peer, offset::Receiving::polling);
        }
    }
    exchange_s = pilot.largest(exchange_s) * (1.0 + offset::Exchanges::longest_pause / 2.0);
    return best_arity(pilot.n_leaders(), {exchange_s, settings.fitpoints, settings.counted(), settings.span_s});
}

EdgeSweeps::EdgeSweeps(Transport& transport, const SweepTree& tree, const SweepSettings& settings)
    : transport_(transport), tree_(tree), settings_(settings) {}

Synchronised EdgeSweeps::learn() {
    const auto contradicted = [&](const Synchronised& own) {
        return std::isnan(tree_.largest(own.bound.half_width + own.bound.slope));
    };
    const auto attempt_anew = [&] {
        begin_anew();
        return attempt();
    };
    return without_contradiction(attempt_anew, contradicted);
}

void EdgeSweeps::begin_anew() {
    entered_ = transport_.now();
    sweeps_ = 0;
    least_missed_ = std::numeric_limits<double>::infinity();
    fruitless_ = 0;
    exchanges_ = {};
}

Synchronised EdgeSweeps::attempt() {
    sweep(settings_.fitpoints);
    Synchronised own = settle();
    while (const std::uint64_t more = settings_.has_goal() ? further_sweeps(own) : 0) {
        sweep(more);
        own = settle();
    }
    return own;
}

/// Every rank waits by its own clock: if only one waited, the first message of the others would lie in a queue in each
/// sweep. A single rank has no edge to learn and waits for nothing.
void EdgeSweeps::sweep(std::uint64_t count) {
    if (tree_.n_leaders() == 1) {
        return;
    }
    const double pace = settings_.pace();
    for (std::uint64_t i = 0; i < count; ++i, ++sweeps_) {
        if (sweeps_ > 0 && pace > 0.0) {
            transport_.wait_until(paced_from_ + pace * static_cast<double>(sweeps_));
        }
        for (const auto& meeting : tree_.slots()) {
            if (meeting && time_of_edge() > 0.0) {
                exchanges_.burst_for(transport_, *meeting, time_of_edge());
            } else if (meeting) {
                exchanges_.burst(transport_, *meeting, settings_.counted());
            }
        }
        if (sweeps_ == 0) {
            paced_from_ = transport_.now();
        }
    }
}

/// Two neighbours agree whether it is 0. A rank meets its neighbours one after the other, in as many slots as its tree
/// has.
double EdgeSweeps::time_of_edge() const {
    const int slots = std::min(static_cast<int>(tree_.slots().size()), tree_.n_leaders() - 1);
    const bool fills = settings_.exchanges == 0 && sweeps_ < settings_.fitpoints;
    constexpr double of_several = 0.8; // a rank comes late where it meets several, and then all have to wait
    const double share = settings_.share > 0.0 ? settings_.share : slots > 1 ? of_several : 1.0;
    return fills ? share * settings_.pace() / slots : 0.0;
}

Synchronised EdgeSweeps::settle() {
    const KnownOfClock level{.drift = 0.0, .wander = settings_.rule.wander};
    if (settings_.drift_known) {
        const StripFit fit = is_client() ? fit_strip(exchanges_.points(), level) : StripFit{};
        return hand_down(fit, settings_.rule.of(fit));
    }
    const StripFit fit = is_client() ? fit_strip(exchanges_.points(), {.wander = level.wander}) : StripFit{};
    Synchronised own = hand_down(fit, settings_.rule.of(fit));
    if (!settings_.slope_test) {
        return own;
    }
    const FoundDrift way{own.model.slope, own.slope_error};
    const double spread = spread_of_all({fit.line.drift, std::sqrt(fit.line.drift_variance)}, way);
    if (spread == 0.0) {
        const StripFit flat = is_client() ? fit_strip(exchanges_.points(), level) : StripFit{};
        return allowing_for(hand_down(flat, settings_.rule.of(flat)), own);
    }
    const double likely = is_client() ? shrunk(way, spread) : 0.0;
    Synchronised chosen = own; // turned about the middle of the exchanges, where the offset is known best
    chosen.model = model_through(fit.line.at, own.model.offset_at(fit.line.at), likely);
    return allowing_for(chosen, own);
}

/// Where some clocks run at one rate, mostly all do. The drifts of the edges show whether there is any drift at all;
/// the spread is that of the ways to the root, for their drifts are shrunk. Only the root hears of every way.
double EdgeSweeps::spread_of_all(const FoundDrift& edge, const FoundDrift& way) {
    const DriftSums edges = tree_.combined(is_client() ? DriftSums::of(edge) : DriftSums{}, std::plus<>());
    std::vector<double> suggested;
    if (is_client()) {
        suggested.push_back(suggested_variance(way));
    }
    suggested = tree_.gathered(std::move(suggested));
    const bool none = is_client() || edges.may_all_be_errors();
    return tree_.from_root(none ? 0.0 : variance_of_drifts(std::move(suggested)));
}

Synchronised EdgeSweeps::hand_down(const StripFit& fit, const ErrorBound& edge) {
    return tree_.hand_down<Synchronised>([&](const std::optional<Synchronised>& parent) {
        const Synchronised learnt{
            {fit.line.drift, fit.line(LocalTime{})}, fit.end, std::sqrt(fit.line.drift_variance), edge};
        return parent ? continued(*parent, learnt) : root_of(transport_);
    });
}

/// The error of a line grows with the distance from the middle of its exchanges; there it is next to nothing.
double EdgeSweeps::missed_by(const Synchronised& own) {
    const LocalTime now = transport_.now();
    const double bound = own.bound(now);
    if (std::isnan(bound)) {
        return undefined;
    }
    double missed = settings_.bound_s > 0.0 ? bound / settings_.bound_s : 0.0;
    if (settings_.error_s > 0.0 && is_client()) {
        missed =
            std::max(missed, own.slope_error * (SweepSettings::ahead_s + (now - entered_) / 2) / settings_.error_s);
    }
    return missed;
}

std::uint64_t EdgeSweeps::further_sweeps(const Synchronised& own) {
    const double missed = tree_.largest(missed_by(own));
    // A proof that exchanges contradict stays contradicted by more of them: the goal cannot be reached.
    const bool contradicted = std::isnan(missed);
    fruitless_ = missed > worthwhile * least_missed_ ? fruitless_ + 1 : 0;
    least_missed_ = std::min(least_missed_, missed);
    const bool goes_on = !contradicted && missed > 1.0 && fruitless_ < patience;
    // Twice the exchanges over twice the time, or as many as the limit allows.
    const double spent = transport_.now() - entered_;
    const double room = std::clamp((settings_.limit_s - spent) / spent, 0.0, 1.0);
    const auto more = goes_on ? static_cast<std::uint64_t>(room * static_cast<double>(sweeps_)) : 0;
    return tree_.from_root(more); // whose clock decides for all
}

} // namespace ictus::clocksync
