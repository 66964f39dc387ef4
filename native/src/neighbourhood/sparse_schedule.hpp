// Sparse exchanges on a torus or an open mesh as rounds of combined messages: the three algorithms that Traeff, Luebbe,
// Rougier and Hunold 2015 sketch for isomorphic neighbourhoods. As all ranks have the same list of neighbours, each
// computes the schedule for itself, without a message: it holds for all of them.
//
// In a round every rank sends one message, `jump` further on, and receives one, from `jump` back. A block travels by
// some of the rounds, in their order, until its jumps add up to its neighbour:
//     direct       a round for each neighbour
//     dimensions   along one dimension after the other, a round for each step length that a dimension has: 6 rounds for
//                  the 26 neighbours of moore(1) in three dimensions
//     logarithmic  in each dimension by jumps of 1, 2, 4, ... (times what divides all its steps): a dimension whose
//                  steps span w places (at most its length) takes ceil(log2 w) rounds, or as many as it has step
//                  lengths where these are fewer. Over all dimensions at least ceil(log2(s + 1)) rounds for s distinct
//                  neighbours, and at most ceil(log2 p) + d - 1. Along an open dimension a block goes straight to its
//                  neighbour, so that no way leaves the mesh: steps on and steps back take jumps of their own
//
// On an open mesh a rank has only some of the neighbours. It takes part in those transfers whose block has both an
// origin and a destination on the mesh (`is_on`), which sender and receiver find alike.
#pragma once

#include "neighbourhood/neighbourhood.hpp"

#include <string_view>

namespace ictus {

enum class SparseAlgorithm { direct, dimensions, logarithmic };
/// Throws a usage Error that lists the known ones.
[[nodiscard]] SparseAlgorithm parse_sparse_algorithm(std::string_view name);

/// Where a block is: block `block` of that buffer.
struct BlockLocation {
    enum class Buffer { send, scratch, receive } buffer;
    int block;
    friend bool operator==(const BlockLocation&, const BlockLocation&) = default;
};

/// A block on its way: read at the sender, written at the receiver.
struct Transfer {
    BlockLocation from;
    BlockLocation to;
    int neighbour;        ///< whose block it is: decides its size where blocks differ
    GridOffset travelled; ///< from the block's origin to the sender
    GridOffset bound_for; ///< from the origin to where it must get: its neighbour, or where it is given to several
};

struct SparseRound {
    GridOffset jump;
    std::vector<Transfer> transfers; ///< in the order in which the message has them, on both sides
};

/// Whether `sender` has a block to hand on by this transfer.
[[nodiscard]] bool is_on(const Torus& torus, const Transfer& transfer, int sender);

struct SparseSchedule {
    std::vector<SparseRound> rounds;
    std::vector<Transfer> copies; ///< on the rank itself, after the rounds
    std::vector<int> scratch;     ///< for each scratch block the neighbour whose block it has to hold
};

/// From every rank a block of its own to every neighbour: block i of the send buffer goes to neighbour i, and block i
/// of the receive buffer comes from the rank that this rank is neighbour i of.
/// On an open mesh blocks from nobody are not written.
[[nodiscard]] SparseSchedule sparse_alltoall(const Torus& torus, const Neighbourhood& neighbourhood,
                                             SparseAlgorithm algorithm);
/// From every rank one block, the same to every neighbour. Combined messages carry it once for all that lie behind the
/// same jumps.
[[nodiscard]] SparseSchedule sparse_allgather(const Torus& torus, const Neighbourhood& neighbourhood,
                                              SparseAlgorithm algorithm);

} // namespace ictus
