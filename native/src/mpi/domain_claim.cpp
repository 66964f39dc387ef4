#include "mpi/domain_claim.hpp"

#include "base/error.hpp"
#include "mpi/check.hpp"

namespace ictus::mpi {

DomainClaim parse_domain_claim(std::string_view text) {
    if (text == "auto") {
        return DomainClaim::automatic;
    }
    if (text == "host") {
        return DomainClaim::host;
    }
    if (text == "rank") {
        return DomainClaim::rank;
    }
    throw usage_error("clock domain '" + std::string(text) + "' is not one of auto host rank");
}

std::vector<Place> claim_domains(const Topology& topology, MPI_Comm comm, DomainClaim claim, const Clock& clock) {
    const int own =
        claim == DomainClaim::host || (claim == DomainClaim::automatic && clock.is_common_to_host()) ? 1 : 0;
    std::vector<Place> places = topology.places;
    std::vector<int> common(places.size());
    check(MPI_Allgather(&own, 1, MPI_INT, common.data(), 1, MPI_INT, comm), "MPI_Allgather");
    for (std::size_t rank = 0; rank < places.size(); ++rank) {
        const int host = places[rank].host; // named by its first rank
        places[rank].domain = common[static_cast<std::size_t>(host)] != 0 ? host : static_cast<int>(rank);
    }
    return places;
}

} // namespace ictus::mpi
