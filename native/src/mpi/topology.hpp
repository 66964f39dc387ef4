// Which ranks share a host, and whether there are cores enough for them.
#pragma once

#include "mpi/communicator.hpp"
#include "transport/place.hpp"

#include <vector>

namespace ictus::mpi {

struct Topology {
    Communicator host;   ///< the ranks of this host
    int host_leader = 0; ///< world rank of the host's first rank: names the host
    int n_host_ranks = 1;
    std::vector<Place> places;   ///< of every rank; as if each host were one clock domain (mpi/domain_claim)
    bool oversubscribed = false; ///< on some host the ranks outnumber the cores that they may use
};

/// Collective over `comm`.
[[nodiscard]] Topology read_topology(MPI_Comm comm);

} // namespace ictus::mpi
