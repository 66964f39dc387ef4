// Which ranks are said to read one counter: option --clock-domain. Whether they do is measured (clocksync/domains).
#pragma once

#include "clock/clock.hpp"
#include "mpi/topology.hpp"

#include <string_view>

namespace ictus::mpi {

/// `automatic`: the ranks of a host where the clock is one for a host; `host`: them in any case; `rank`: none.
enum class DomainClaim { automatic, host, rank };

/// From `auto`, `host` or `rank`.
[[nodiscard]] DomainClaim parse_domain_claim(std::string_view text);

/// Collective over the communicator of `topology`: its places, with the domains that are claimed of its ranks' clocks.
/// The first rank of a host decides for all of it.
[[nodiscard]] std::vector<Place> claim_domains(const Topology& topology, MPI_Comm comm, DomainClaim claim,
                                               const Clock& clock);

} // namespace ictus::mpi
