// One edge of a tree put behind the way that leads to it: how models, bounds and errors go down from the root.
#pragma once

#include "clocksync/clocksync.hpp"

namespace ictus::clocksync {

/// The root's time is its own: no error, now or later.
[[nodiscard]] inline Synchronised root_of(Transport& transport) {
    Synchronised root;
    if (transport.rank() == 0) {
        root.at = transport.now();
        root.slope_error = 0.0;
        root.bound = {.at = root.at.s, .half_width = 0.0};
    }
    return root;
}

/// `own` as it looks to a rank that reads the root's time off it: nothing is left to correct, and its bound is told in
/// that time.
[[nodiscard]] inline Synchronised shown(Synchronised own) {
    own.bound.at = own.model.to_reference(own.bound.at);
    own.model = ClockModel{};
    return own;
}

/// The way of a leader to the root, in the leader's time, continued by one edge: what a member learnt of the leader's
/// clock, in the member's time.
[[nodiscard]] Synchronised continued(const Synchronised& leader, const Synchronised& edge);

} // namespace ictus::clocksync
