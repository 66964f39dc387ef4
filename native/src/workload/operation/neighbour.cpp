#include "workload/operation/neighbour.hpp"

#include "base/error.hpp"

#include <climits>
#include <numeric>

namespace ictus::operation {
namespace {

std::unique_ptr<Topology> topology_of(const Bound& bound, int n_ranks) {
    return topology::registry().make(bound.member("topology"), n_ranks);
}

Partition shares_of(const OperationMember& member, const CallSite& site, int n_shares) {
    return member.varied ? shared_out(site, n_shares) : Partition::equal(n_shares, site.count);
}

Partition of_them(const Partition& shares, std::span<const int> named) {
    std::vector<std::uint64_t> counts;
    counts.reserve(named.size());
    for (const int one : named) {
        counts.push_back(shares.count(one));
    }
    return Partition(std::move(counts));
}

/// The size of a block that no rank sends makes no difference.
Blocks blocks_of(const CallSite& site, const Links& links, const Partition& shares, bool same_to_all) {
    std::vector<int> sent{site.rank};
    if (!same_to_all) {
        sent.resize(static_cast<std::size_t>(links.outgoing));
        std::iota(sent.begin(), sent.end(), 0);
    }
    std::vector<int> received;
    for (const IncomingBlock& one : links.incoming) {
        const bool is_known = one.rank != IncomingBlock::nobody;
        received.push_back(!is_known ? 0 : (same_to_all ? one.rank : one.block));
    }
    return {.sent = of_them(shares, sent), .received = of_them(shares, received)};
}

} // namespace

int neighbour_blocks(const Bound& bound, int n_ranks) { return topology_of(bound, n_ranks)->degree(); }

Neighbour::Neighbour(const OperationMember& member, const Bound& bound, const CallSite& site, SentBlocks sent)
    : Neighbour(member, site, sent, *topology_of(bound, site.n_ranks)) {}

Neighbour::Neighbour(const OperationMember& member, const CallSite& site, SentBlocks sent, const Topology& topology)
    : Neighbour(member, site, sent, topology, topology.links(site.rank),
                shares_of(member, site, sent == SentBlocks::same_to_all ? site.n_ranks : topology.degree())) {}

Neighbour::Neighbour(const OperationMember& member, const CallSite& site, SentBlocks sent, const Topology& topology,
                     Links links, Partition shares)
    : Collective(member, site, blocks_of(site, links, shares, sent == SentBlocks::same_to_all)), sent_(sent),
      links_(std::move(links)), shares_(std::move(shares)) {
    MPI_Barrier(site.comm); // so that the time is that of making the communicator, without waiting for other ranks
    const double begin = MPI_Wtime();
    topology_comm_ = topology.create(site.comm);
    set_up_ = {"topology", MPI_Wtime() - begin};
}

BlockSource Neighbour::block_source(int block) const {
    const IncomingBlock& one = incoming(block);
    return BlockSource::rank(one.rank, sent_ == SentBlocks::same_to_all ? 0 : shares_.first(one.block));
}

const CallSite& placed_by_ints(const OperationMember& member, const Bound& bound, const CallSite& site, int n_shares) {
    const std::uint64_t share = shared_out(site, n_shares).largest_count();
    const Partition largest = Partition::equal(neighbour_blocks(bound, site.n_ranks), share);
    if (!needs_large_counts(member, site) && largest.total() > INT_MAX) {
        throw usage_error(std::string(member.mpi_name) + ": " + std::to_string(largest.n_blocks()) + " blocks of " +
                          std::to_string(share) + " elements have displacements above what an int can hold (" +
                          std::to_string(INT_MAX) + "); choose a smaller size or a larger datatype");
    }
    return site;
}

} // namespace ictus::operation
