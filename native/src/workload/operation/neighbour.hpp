// Shared by the neighbourhood collectives: a communicator with a topology, made before the first call, and our own
// arithmetic of which rank sends which block to which rank. n is the volume of the largest buffer that a rank can have:
// one block per neighbour. Blocks without a sender, at the border of an open grid, stay unwritten.
//
// Where blocks differ in size, the k-th block that a rank sends is the k-th share of n and arrives with that size; a
// block that goes to all neighbours is the rank's share of the volume of all ranks.
#pragma once

#include "neighbourhood/topology.hpp"
#include "workload/operation/block_arrays.hpp"
#include "workload/operation/collective.hpp"

namespace ictus::operation {

/// The parameter of all members, and the number of blocks that n is divided into.
inline constexpr Parameter topology_parameters[] = {
    {.name = "topology",
     .type = Parameter::Type::member,
     .default_value = "cartesian(2)",
     .help = "the topology; n is the block size times the largest number of neighbours of a rank",
     .family = &topology::family},
};
int neighbour_blocks(const Bound& bound, int n_ranks);

class Neighbour : public Collective {
public:
    [[nodiscard]] std::span<const SetupCost> set_up() const override { return {&set_up_, 1}; }

protected:
    Neighbour(const OperationMember& member, const Bound& bound, const CallSite& site, SentBlocks sent);

    /// The communicator with the topology.
    [[nodiscard]] MPI_Comm comm() const { return topology_comm_.handle(); }

private:
    Neighbour(const OperationMember& member, const CallSite& site, SentBlocks sent, const Topology& topology);
    Neighbour(const OperationMember& member, const CallSite& site, SentBlocks sent, const Topology& topology,
              Links links, Partition shares);

    [[nodiscard]] const IncomingBlock& incoming(int block) const {
        return links_.incoming[static_cast<std::size_t>(block)];
    }
    [[nodiscard]] BlockSource block_source(int block) const final;
    [[nodiscard]] bool arrives(int block) const final { return incoming(block).rank != IncomingBlock::nobody; }

    SentBlocks sent_;
    Links links_;
    Partition shares_; ///< the blocks that a rank with neighbours on all sides sends; where one block goes to all: each
                       ///< rank's
    SetupCost set_up_;
    mpi::Communicator topology_comm_;
};

// Shared by the neighbourhood collectives with a size and displacement for each block.

/// Refuses displacements that do not fit an int where the call takes ints; blocks are as large as the largest of
/// `n_shares`.
const CallSite& placed_by_ints(const OperationMember& member, const Bound& bound, const CallSite& site, int n_shares);

class VariedNeighbour : public Neighbour {
protected:
    VariedNeighbour(const OperationMember& member, const Bound& bound, const CallSite& site, SentBlocks sent)
        : Neighbour(member, bound, placed_by_ints(member, bound, site, n_shares(bound, site, sent)), sent),
          send_arrays_(this->sent(), has_large_counts()), receive_arrays_(received(), has_large_counts()) {}

    [[nodiscard]] const BlockArrays& send_arrays() const { return send_arrays_; }
    [[nodiscard]] const BlockArrays& receive_arrays() const { return receive_arrays_; }

private:
    static int n_shares(const Bound& bound, const CallSite& site, SentBlocks sent) {
        return sent == SentBlocks::same_to_all ? site.n_ranks : neighbour_blocks(bound, site.n_ranks);
    }

    BlockArrays send_arrays_;
    BlockArrays receive_arrays_;
};

} // namespace ictus::operation
