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

} // namespace ictus::offset
