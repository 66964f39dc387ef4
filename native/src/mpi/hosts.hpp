// The hosts of a launch: which ranks share one, which of them read one counter, and the clock that they share.
#pragma once

#include "clock/clock.hpp"
#include "mpi/handles.hpp"
#include "transport/rank_location.hpp"

#include <string_view>
#include <vector>

namespace ictus::mpi {

// Which ranks share a host, and whether there are cores enough for them.

struct HostTopology {
    Communicator host;   ///< the ranks of this host
    int host_leader = 0; ///< world rank of the host's first rank: names the host
    int n_host_ranks = 1;
    std::vector<RankLocation> places; ///< of every rank; as if each host were one clock domain (claim_domains)
    bool oversubscribed = false;      ///< on some host the ranks outnumber the cores that they may use
};

/// Collective over `comm`.
[[nodiscard]] HostTopology read_topology(MPI_Comm comm);

// Which ranks are said to read one counter: option --clock-domain. Whether they do is measured (clocksync/domains).

/// `automatic`: the ranks of a host where the clock is one for a host; `host`: them in any case; `rank`: none.
enum class DomainClaim { automatic, host, rank };

/// From `auto`, `host` or `rank`.
[[nodiscard]] DomainClaim parse_domain_claim(std::string_view text);

/// Collective over the communicator of `topology`: its places, with the domains that are claimed of its ranks' clocks.
/// The first rank of a host decides for all of it.
[[nodiscard]] std::vector<RankLocation> claim_domains(const HostTopology& topology, MPI_Comm comm, DomainClaim claim,
                                                      const Clock& clock);

// One clock for the ranks of a host.

/// Collective over the communicator of `topology`, in which the caller has this rank. One frequency and one epoch for
/// all ranks of a host, decided by its first rank: if each calibrated for itself, clocks that are one counter would
/// drift apart, and with an epoch each they would show different times.
[[nodiscard]] std::unique_ptr<Clock> make_host_clock(const Bound& bound, const HostTopology& topology, int rank);

} // namespace ictus::mpi
