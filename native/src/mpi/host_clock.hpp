// One clock for the ranks of a host.
#pragma once

#include "clock/clock.hpp"
#include "mpi/topology.hpp"

namespace ictus::mpi {

/// Collective over the communicator of `topology`, in which the caller has this rank. One frequency and one epoch for
/// all ranks of a host, decided by its first rank: if each calibrated for itself, clocks that are one counter would
/// drift apart, and with an epoch each they would show different times.
[[nodiscard]] std::unique_ptr<Clock> make_host_clock(const Bound& bound, const Topology& topology, int rank);

} // namespace ictus::mpi
