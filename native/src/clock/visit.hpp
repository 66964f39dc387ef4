// The list of concrete clocks, once: the registry is made of it, and the timed loop is compiled for each of them.
#pragma once

#include "clock/monotonic.hpp"
#include "clock/skewed.hpp"
#include "clock/tsc.hpp"
#include "clock/wtime.hpp"

namespace ictus::clock {

template <class... Types>
struct TypeList {};

using Clocks = TypeList<TscClock, MonotonicClock, WtimeClock, SkewedClock>;

/// Calls `f` with the concrete clock, so that its reading is inlined.
template <class F, class... Types>
void visit(Clock& clock, F&& f, TypeList<Types...>) {
    const auto one = [&](auto* concrete) {
        if (concrete != nullptr) {
            f(*concrete);
        }
    };
    (one(dynamic_cast<Types*>(&clock)), ...);
}

template <class F>
void visit(Clock& clock, F&& f) {
    visit(clock, f, Clocks{});
}

} // namespace ictus::clock
