// Exchanges as constraints on the line of a client's offset: each leg at its own end of the exchange, for one common
// time would be no proof when one leg stalls.
#pragma once

#include "clockmath/hull.hpp"
#include "offset/ping_pong.hpp"

namespace ictus::offset {

inline void add(Constraints& points, const Exchange& exchange) {
    points.floor.push_back({exchange.sent, exchange.lower()});
    points.ceiling.push_back({exchange.received, exchange.upper()});
}

} // namespace ictus::offset
