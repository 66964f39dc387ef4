// Family clocksync: how the ranks of a communicator agree on one global time, the root's (rank 0).
#pragma once

#include "base/registry.hpp"
#include "base/summary.hpp"
#include "clockmath/clock_model.hpp"
#include "clockmath/error_bound.hpp"
#include "clockmath/merged_model.hpp"
#include "transport/transport.hpp"

namespace ictus {

/// One rank's outcome. NaN where the algorithm gives none.
struct Synchronised {
    ClockModel model; ///< this rank's local time to the root's
    LocalTime at;     ///< when the model was exact, as nearly as the algorithm can tell
    /// Standard error of the slope: of the whole way to the root where models are merged, of the last edge alone where
    /// ranks learn against a clock that is a model itself (hca3).
    double slope_error = undefined;
    ErrorBound bound{};                 ///< of the whole way to the root; NaN where the algorithm proves none
    double intercept_error = undefined; ///< standard error, of the whole way
    ModelInterval confidence{};         ///< of merged models (clockmath/merged_model)
    int arity = 0;                      ///< ranks that one rank serves, in the tree of `ictus`; 0: there is none
    int n_contradicted = 0; ///< attempts of this rank before this one whose exchanges contradicted each other
};

class ClockSync {
public:
    virtual ~ClockSync() = default;
    /// Collective over all ranks of the transport; its clock may itself be a modelled one, which re-synchronises it.
    virtual Synchronised synchronise(Transport& transport) = 0;
    /// Collective, over clocks that follow an earlier outcome (a modelled transport): how far each has drifted since,
    /// as an offset. Quick. By default hca3-offset(exchanges=100).
    virtual Synchronised measure_again(Transport& modelled);
    /// Whether the result is a global time at all; false for `none`.
    [[nodiscard]] virtual bool synchronises() const { return true; }
    /// Whether stamps are mapped by a model that meets the clocks as they are measured at the end too; false for
    /// `extrapolate`.
    [[nodiscard]] virtual bool interpolates() const { return true; }
};

using ClockSyncMember = Member<ClockSync>;

namespace clocksync {
[[nodiscard]] const Registry<ClockSync>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace clocksync

} // namespace ictus
