// Simulated hosts whose ranks all claim one clock, with counters that differ all the same: a false claim, made to
// order.
#pragma once

#include "transport/global_clock.hpp"
#include "transport/simulated_world.hpp"

namespace simulation {

/// One host of `size` ranks; their places claim one clock domain.
inline ictus::SimulatedSettings one_host(int size, std::uint64_t seed = 3) {
    ictus::SimulatedSettings settings;
    settings.size = size;
    settings.seed = seed;
    settings.ranks_per_host = size;
    settings.one_clock_a_host = true;
    settings.host_link = {.latency_s = 0.4e-6, .jitter_s = 0.1e-6, .tail_share = 0.01};
    return settings;
}

/// A counter that is ahead of the host's by `offset` seconds at its zero and runs faster by `drift`.
inline ictus::ModelledTransport counter(ictus::Transport& host, double offset, double drift = 0.0) {
    return {host, ictus::ClockModel{-drift, ictus::ClockOffset(-offset)}};
}

} // namespace simulation
