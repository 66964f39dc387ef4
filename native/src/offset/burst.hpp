// Exchanges back to back: after the first the caches are warm and both ranks wait for each other.
#pragma once

#include "clockmath/rounds.hpp"
#include "offset/constraints.hpp"

#include <cstdint>

namespace ictus::offset {

/// The client's constraints are added to `points`; the reference's stay as they are.
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
