// Walks of a tree that several algorithms share: from the root down, and from the leaves up.
#pragma once

#include "clockmath/merged_model.hpp"
#include "clocksync/clocksync.hpp"
#include "drift/drift.hpp"
#include "transport/control.hpp"

namespace ictus::clocksync {

/// The root's time is its own: no error, now or later.
[[nodiscard]] inline Synchronised root_of(Transport& transport) {
    Synchronised root;
    if (transport.rank() == 0) {
        root.at = transport.now();
        root.slope_error = 0.0;
        root.bound = {.at = root.at, .half_width = 0.0};
    }
    return root;
}

/// `own` as it looks to a rank that reads the root's time from it: there is nothing to correct, and its bound holds in
/// that time.
[[nodiscard]] inline Synchronised shown(Synchronised own) {
    own.bound.at = as_own(own.model.to_reference(own.bound.at));
    own.model = ClockModel{};
    return own;
}

/// Learns by `attempt()` until its evidence does not contradict itself, at most three times. A step of a clock is over
/// by the next attempt; clocks that wander more than allowed for contradict every one. `contradicted(outcome)` is one
/// answer for all ranks.
template <class Attempt, class Contradicted>
[[nodiscard]] Synchronised without_contradiction(Attempt attempt, Contradicted contradicted) {
    constexpr int attempts = 3;
    Synchronised own = attempt();
    for (int n_contradicted = 1; n_contradicted < attempts && contradicted(own); ++n_contradicted) {
        own = attempt();
        own.n_contradicted = n_contradicted;
    }
    return own;
}

/// Whether it is so on any rank.
[[nodiscard]] inline bool anywhere(Transport& transport, bool here) {
    return control::largest(transport, here ? 1.0 : 0.0) > 0.0;
}

/// The way of a leader to the root, in the leader's time, continued by one edge: what a member learnt of the leader's
/// clock, in the member's time.
[[nodiscard]] Synchronised continued(const Synchronised& leader, const Synchronised& edge);

// HCA3's walk, from the root down: each rank learns its model against a partner that already answers with the root's
// time. No model is merged, gathered or scattered, and no barrier is needed.

/// ceil(log2 p) rounds (clockmath/rounds, rounds_from_root); each edge learns by `drift` from offsets of `estimator`.
/// Where that proves bounds, all ranks agree in the end that nothing contradicts them, or learn anew.
class FromRoot final : public ClockSync {
public:
    FromRoot(const Bound& drift, const Bound& estimator)
        : drift_(drift::registry().make(drift)), estimator_(offset::registry().make(estimator)) {}

    Synchronised synchronise(Transport& transport) override;

private:
    [[nodiscard]] Synchronised walk(Transport& transport);

    bool contradicted_ = false; ///< this rank's exchanges in the last walk contradict each other
    std::unique_ptr<DriftModel> drift_;
    std::unique_ptr<OffsetEstimator> estimator_;
};

// Netgauge's walk, from the leaves up: each pair of ranks learns on its raw clocks. The models are merged on the way to
// the root, which scatters them at the end. Hoefler, Schneider, Lumsdaine 2008 for offsets; Hunold and Carpen-Amarie
// 2016, algorithm 3, for models.

/// Every rank's merged model to the root. ceil(log2 p) rounds (clockmath/rounds, rounds_to_root) of one edge each,
/// whose results go to the root; a scatter. Messages, but for those of learning: 2 (p - 1).
[[nodiscard]] MergedModel merge_to_root(Transport& transport, DriftModel& drift, OffsetEstimator& estimator);

/// One rank's outcome; the root's own is exact, and of the others nothing is proven.
[[nodiscard]] Synchronised outcome_of(Transport& transport, const MergedModel& merged);

/// The parameters of hca and hca2.
inline constexpr Parameter hca_parameters[] = {
    {.name = "drift",
     .type = Parameter::Type::member,
     .default_value = "regression(fitpoints=1000,span=0,reanchor=off,slope_test=off)",
     .help = "how each pair learns its slope",
     .family = &drift::family},
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "mean-rtt",
     .help = "how each offset is estimated for that",
     .family = &offset::family},
    {.name = "intercept_exchanges",
     .type = Parameter::Type::count,
     .default_value = "100",
     .help = "round trips for an intercept, by offset skampi",
     .minimum = 1,
     .maximum = 1e6},
};

/// The estimator of the last of these parameters.
[[nodiscard]] std::unique_ptr<OffsetEstimator> make_intercept_estimator(const Bound& bound);

} // namespace ictus::clocksync
