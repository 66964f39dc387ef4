// How `ictus` learns: all edges of a tree at the same time, sweep after sweep, so that each has the whole span. Then
// the models are composed from the root down.
#pragma once

#include "clockmath/drift_spread.hpp"
#include "clocksync/clocksync.hpp"
#include "clocksync/sweep_tree.hpp"
#include "drift/bound_rule.hpp"
#include "offset/exchanges.hpp"

namespace ictus::clocksync {

struct SweepSettings {
    std::uint64_t fitpoints = 200; ///< sweeps
    std::uint64_t exchanges = 0;   ///< round trips an edge a sweep; 0: as many as fill `share` of the span
    double share = 0.0;            ///< of the span, that all edges of a rank fill together; 0: all or most of it
    double span_s = 0.1;           ///< time over which the sweeps are spread
    int arity = 0;                 ///< ranks that one rank serves; 0: as suits their number and an exchange
    bool slope_test = true;        ///< drifts are shrunk to 0 as far as they may be errors
    bool drift_known = false;      ///< drifts are 0: clocks that follow a model are measured again
    double bound_s = 0.0;          ///< learn on until the largest bound of all ranks is at most this; 0: do not
    double error_s = 0.0;          ///< likewise the largest standard error, `ahead_s` later
    double limit_s = 10.0;         ///< but no longer than this
    BoundRule rule;

    /// Exchanges of an edge in a sweep where they fill no time: sweeps back to back, and those after the span, which a
    /// bound needs for their time alone.
    [[nodiscard]] std::uint64_t counted() const { return exchanges > 0 ? exchanges : 10; }
    /// Seconds from sweep to sweep; 0: back to back.
    [[nodiscard]] double pace() const { return fitpoints > 1 ? span_s / static_cast<double>(fitpoints - 1) : 0.0; }
    [[nodiscard]] bool has_goal() const { return bound_s > 0.0 || error_s > 0.0; }

    static constexpr double ahead_s = 5.0; ///< about as long as a block of cases, after which clocks are measured again
};

/// Collective over the leaders of all domains: the arity that the settings ask for, or that suits the number of leaders
/// and an exchange (clockmath/tree_arity). An exchange is measured on the edges of a binary tree, some on each at the
/// same time; the longest edge counts. Two messages and 2 x 9 an edge.
[[nodiscard]] int find_arity(Transport& transport, const Domains& domains, const SweepSettings& settings);

class EdgeSweeps {
public:
    /// `tree` is over ranks of `transport`.
    EdgeSweeps(Transport& transport, const SweepTree& tree, const SweepSettings& settings);

    /// Collective. Where the exchanges of an edge contradict each other (a clock stepped, its bound is NaN), all ranks
    /// learn anew, a few times at most.
    [[nodiscard]] Synchronised learn();

private:
    [[nodiscard]] Synchronised attempt();
    void begin_anew();
    void sweep(std::uint64_t count);
    /// Time of an edge in a sweep; 0: a number of exchanges counts.
    [[nodiscard]] double time_of_edge() const;
    [[nodiscard]] Synchronised settle();
    /// One decision for all ranks, from the drift against the parent and that against the root.
    [[nodiscard]] double spread_of_all(const FoundDrift& edge, const FoundDrift& way);
    [[nodiscard]] Synchronised hand_down(const StripFit& fit, const ErrorBound& edge);
    /// How many more sweeps the goal is worth: 0 ends the learning.
    [[nodiscard]] std::uint64_t further_sweeps(const Synchronised& own);
    /// How far this rank is from the goal: 1 or less where it is reached. NaN where exchanges contradict each other.
    [[nodiscard]] double missed_by(const Synchronised& own);
    [[nodiscard]] bool is_client() const { return !tree_.is_root(); }

    Transport& transport_;
    const SweepTree& tree_;
    SweepSettings settings_;
    LocalTime entered_;
    LocalTime paced_from_;            ///< end of the first sweep
    std::uint64_t sweeps_ = 0;        ///< of this attempt
    double least_missed_ = undefined; ///< the smallest value so far of the largest of all ranks
    int fruitless_ = 0;               ///< how often in a row it did not get smaller
    offset::Exchanges exchanges_;     ///< a client's
};

} // namespace ictus::clocksync
