#include "operation/neighbour.hpp"

#include "core/error.hpp"
#include "operation/varied_neighbour.hpp"

#include <climits>

namespace ictus::operation {
namespace {

std::unique_ptr<Topology> topology_of(const Bound& bound, int n_ranks) {
    return topology::registry().make(bound.member("topology"), n_ranks);
}

Blocks blocks_of(const CallSite& site, const Links& links, bool same_to_all) {
    return {.sent = Partition::equal(same_to_all ? 1 : links.outgoing, site.count),
            .received = Partition::equal(static_cast<int>(links.incoming.size()), site.count)};
}

} // namespace

int neighbour_blocks(const Bound& bound, int n_ranks) { return topology_of(bound, n_ranks)->degree(); }

Neighbour::Neighbour(const OperationMember& member, const Bound& bound, const CallSite& site, Sent sent)
    : Neighbour(member, site, sent, *topology_of(bound, site.n_ranks)) {}

Neighbour::Neighbour(const OperationMember& member, const CallSite& site, Sent sent, const Topology& topology)
    : Neighbour(member, site, sent, topology, topology.links(site.rank)) {}

Neighbour::Neighbour(const OperationMember& member, const CallSite& site, Sent sent, const Topology& topology,
                     Links links)
    : Collective(member, site, blocks_of(site, links, sent == Sent::same_to_all)), sent_(sent),
      links_(std::move(links)) {
    MPI_Barrier(site.comm); // so that what is measured is the making, not the waiting for others
    const double begin = MPI_Wtime();
    topology_comm_ = topology.create(site.comm);
    set_up_ = {"topology", MPI_Wtime() - begin};
}

Origin Neighbour::origin(int block) const {
    const Incoming& one = incoming(block);
    return Origin::rank(one.rank,
                        sent_ == Sent::same_to_all ? 0 : static_cast<std::size_t>(one.block) * count<std::size_t>());
}

const CallSite& placed_by_ints(const OperationMember& member, const Bound& bound, const CallSite& site) {
    const Partition largest = Partition::equal(neighbour_blocks(bound, site.n_ranks), site.count);
    if (site.count <= INT_MAX && largest.total() > INT_MAX) {
        throw usage_error(std::string(member.mpi_name) + ": " + std::to_string(largest.n_blocks()) + " blocks of " +
                          std::to_string(site.count) + " elements have places beyond an int (" +
                          std::to_string(INT_MAX) + "); choose a smaller size or a larger datatype");
    }
    return site;
}

} // namespace ictus::operation
