// How `ictus` learns: all edges of a tree at the same time, sweep after sweep, so that each has the whole span. Then
// the models are composed from the root down.
#pragma once

#include "clockmath/drift_spread.hpp"
#include "clockmath/rounds.hpp"
#include "clocksync/clocksync.hpp"
#include "drift/bound_rule.hpp"

namespace ictus::clocksync {

struct SweepSettings {
    std::uint64_t fitpoints = 200; ///< sweeps
    std::uint64_t exchanges = 10;  ///< round trips an edge a sweep
    double span_s = 0.1;           ///< time over which the sweeps are spread
    int arity = 2;                 ///< ranks that one rank serves
    bool slope_test = true;        ///< drifts are shrunk to 0 as far as they may be errors
    bool drift_known = false;      ///< drifts are 0: clocks that follow a model are measured again
    double target_s = 0.0;         ///< learn on until the largest bound of all ranks is below this; 0: do not
    double limit_s = 10.0;         ///< but no longer than this
    BoundRule rule;
};

class EdgeSweeps {
public:
    /// `transport` has one rank a clock domain.
    EdgeSweeps(Transport& transport, const SweepSettings& settings);

    /// Collective. Where the exchanges of an edge contradict each other (a clock stepped, its bound is NaN), all ranks
    /// learn anew, a few times at most.
    [[nodiscard]] Synchronised learn();

private:
    [[nodiscard]] Synchronised attempt();
    void begin_anew();
    [[nodiscard]] bool contradicted_anywhere(const Synchronised& own);
    void sweep(std::uint64_t count);
    [[nodiscard]] Synchronised settle();
    struct Drifts {
        FoundDrift edge; ///< against the parent
        FoundDrift way;  ///< against the root
        bool known = false;
    };
    [[nodiscard]] double spread_of_all(const Drifts& own);
    [[nodiscard]] Synchronised hand_down(const StripFit& fit, const ErrorBound& edge);
    /// How many more sweeps the target bound is worth: 0 ends the learning.
    [[nodiscard]] std::uint64_t further_sweeps(const Synchronised& own);
    [[nodiscard]] bool is_client() const { return transport_.rank() != 0; }

    Transport& transport_;
    SweepSettings settings_;
    std::vector<std::optional<Meeting>> slots_;
    LocalTime entered_;
    LocalTime paced_from_; ///< end of the first sweep
    std::uint64_t sweeps_ = 0;
    double best_bound_s_; ///< rank 0: the smallest value so far of the largest bound of all ranks
    int fruitless_ = 0;   ///< rank 0: how often in a row it did not narrow
    Constraints points_;  ///< a client's
};

} // namespace ictus::clocksync
