#include "measure/party.hpp"

#include "mpi/check.hpp"
#include "workload/communicator/communicator.hpp"

#include <algorithm>
#include <numeric>

namespace ictus {
namespace {

/// Whether it is what the launcher made: a library may know more of that than of its parts.
bool is_world(const std::vector<std::vector<int>>& groups, std::size_t n_ranks) {
    std::vector<int> all(n_ranks);
    std::iota(all.begin(), all.end(), 0);
    return groups.front() == all;
}

} // namespace

Party make_party(const Bound& communicator, MPI_Comm world, std::span<const Place> places) {
    const auto groups = communicator::registry().make(communicator)->groups(places);
    int world_rank = 0;
    mpi::check(MPI_Comm_rank(world, &world_rank), "MPI_Comm_rank");
    Party party;
    party.size = static_cast<int>(groups.front().size());
    party.n_callers = party.size * static_cast<int>(groups.size());
    bool takes_part = false;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const auto own = std::ranges::find(groups[group], world_rank);
        if (own != groups[group].end()) {
            takes_part = true;
            party.group = static_cast<int>(group);
            party.rank = static_cast<int>(own - groups[group].begin());
        }
    }
    party.comm = is_world(groups, places.size()) ? mpi::Communicator::duplicate(world)
                                                 : mpi::Communicator::part(world, takes_part, party.group, party.rank);
    return party;
}

} // namespace ictus
