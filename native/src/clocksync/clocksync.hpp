// Family clocksync: how all ranks of a communicator come to one global time, the root's (rank 0).
#pragma once

#include "core/clock_model.hpp"
#include "core/error_bound.hpp"
#include "core/registry.hpp"
#include "transport/transport.hpp"

#include <limits>

namespace ictus {

/// One rank's outcome. NaN where the algorithm gives none.
struct Synchronised {
    ClockModel model; ///< this rank's local time to the root's
    LocalTime at;     ///< when the model was exact: right after this rank had learnt it
    double slope_error = std::numeric_limits<double>::quiet_NaN(); ///< of the last edge to this rank alone
    ErrorBound bound{}; ///< of the whole way to the root; NaN where the algorithm proves none
};

class ClockSync {
public:
    virtual ~ClockSync() = default;
    /// Collective over all ranks of the transport; its clock may itself be a modelled one, which re-synchronises it.
    virtual Synchronised synchronise(Transport& transport) = 0;
    /// Whether the result is a global time at all; false for `none`.
    [[nodiscard]] virtual bool synchronises() const { return true; }
};

using ClockSyncMember = Member<ClockSync>;

namespace clocksync {
[[nodiscard]] const Registry<ClockSync>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace clocksync

} // namespace ictus
