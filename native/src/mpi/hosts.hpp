// The hosts of a launch: which ranks share one, which of them read one counter, and the clock that they share.
#pragma once

#include "clock/clock.hpp"
#include "mpi/handles.hpp"
#include "mpi/rank_locations.hpp"

#include <string_view>

namespace ictus::mpi {

/// Which ranks share a host, and whether the host has enough cores for them.
struct HostTopology {
    Communicator host;   ///< the ranks of this host
    int host_leader = 0; ///< world rank of the host's first rank: names the host
    int n_host_ranks = 1;
    bool oversubscribed = false; ///< on some host the ranks outnumber the cores that they may use
};

/// Collective over `comm`.
[[nodiscard]] HostTopology read_topology(MPI_Comm comm);

/// Option --clock-domain: which ranks claim to read one counter. Measuring decides whether they do (clocksync/domains).
/// `automatic`: the ranks of a host if the host has one clock; `host`: always the ranks of a host; `rank`: none.
enum class DomainClaim { automatic, host, rank };

/// From `auto`, `host` or `rank`.
[[nodiscard]] DomainClaim parse_domain_claim(std::string_view text);

/// Collective over the communicator of `topology`: where its ranks run, with the domains that are claimed of their
/// clocks. The first rank of a host decides for all of it.
[[nodiscard]] RankLocations claim_domains(const HostTopology& topology, MPI_Comm comm, DomainClaim claim,
                                          const Clock& clock);

/// Collective over the communicator of `topology`, in which the caller has this rank: one clock for the ranks of a
/// host. The first rank of the host decides frequency and epoch for all. If each rank calibrated for itself, clocks
/// that read one counter would drift apart; if each had its own epoch, they would show different times.
[[nodiscard]] std::unique_ptr<Clock> make_host_clock(const Bound& bound, const HostTopology& topology, int rank);

} // namespace ictus::mpi
