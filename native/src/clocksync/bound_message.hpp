// A bound on its way down a tree: its time is told in the root's time, for the learner's local time is another.
#pragma once

#include "clocksync/clocksync.hpp"

namespace ictus::clocksync {

/// The root's time is its own: no error, now or later.
[[nodiscard]] inline Synchronised root_of(Transport& transport) {
    Synchronised root;
    if (transport.rank() == 0) {
        root.at = transport.now();
        root.bound = {.at = root.at.s, .half_width = 0.0};
    }
    return root;
}

inline void send_bound(Transport& transport, int client, const Synchronised& own) {
    ErrorBound bound = own.bound;
    bound.at = own.model.to_reference(bound.at);
    send_value(transport, client, bound);
}

/// In the local time of the client, whose model is `model`.
[[nodiscard]] inline ErrorBound receive_bound(Transport& transport, int reference, const ClockModel& model) {
    auto bound = receive_value<ErrorBound>(transport, reference);
    bound.at = model.to_local(bound.at);
    return bound;
}

} // namespace ictus::clocksync
