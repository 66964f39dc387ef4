// Exchanges as constraints on the line of a client's offset. Each leg counts at its own end of the exchange: with one
// common time nothing would be proven where a leg stalls.
#pragma once

#include "clockmath/hull.hpp"
#include "clockmath/rounds.hpp"
#include "offset/ping_pong.hpp"

#include <cstdint>

namespace ictus::offset {

inline void add(Constraints& points, const RoundTrip& one) {
    points.floor.push_back({one.sent, one.lower()});
    points.ceiling.push_back({one.received, one.upper()});
}

/// Exchanges back to back: after the first the caches are warm and both ranks wait for each other. The client's
/// constraints are added to `points`; the reference's stay as they are.
inline void burst(Transport& transport, const Meeting& meeting, std::uint64_t exchanges, Constraints& points) {
    for (std::uint64_t i = 0; i < exchanges; ++i) {
        if (meeting.role == Role::client) {
            add(points, ping(transport, meeting.peer));
        } else {
            pong(transport, meeting.peer);
        }
    }
}

/// Exchanges back to back until `time_s` of the client's have passed since the first was answered; at least three. The
/// client decides, so the two ranks need not agree on an exchange's time.
inline void burst_for(Transport& transport, const Meeting& meeting, double time_s, Constraints& points) {
    if (meeting.role == Role::reference) {
        serve(transport, meeting.peer);
        return;
    }
    RoundTrip one = ping(transport, meeting.peer); // and a wait for the reference to be ready
    add(points, one);
    const LocalTime end = one.received + time_s;
    for (PingPongKind kind = PingPongKind::ping; kind == PingPongKind::ping;) {
        one = ping(transport, meeting.peer);
        add(points, one);
        // If the next takes as long as this one, is there time for one more?
        kind = one.received + 2.0 * (one.received - one.sent) < end ? PingPongKind::ping : PingPongKind::last_ping;
    }
    add(points, ping(transport, meeting.peer, PingPongKind::last_ping));
}

} // namespace ictus::offset
