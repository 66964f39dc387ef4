// Neighbourhoods that look the same from every rank of a torus: one list of relative coordinates for all (isomorphic
// neighbourhoods: Traeff, Luebbe, Rougier and Hunold 2015). Rank r sends to r + c and receives from r - c, for every c
// of the list.
#pragma once

#include "base/registry.hpp"
#include "neighbourhood/torus.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

using Neighbourhood = std::vector<GridOffset>;

/// All within `radius` steps in every single dimension: (2 radius + 1)^dimensions - 1 neighbours.
[[nodiscard]] Neighbourhood moore(int dimensions, int radius);
/// All within `radius` steps in all dimensions together: of radius 1 two a dimension.
[[nodiscard]] Neighbourhood von_neumann(int dimensions, int radius);

/// The ranks from which one rank of a directed graph receives and to which it sends, in ascending order.
struct GraphNeighbours {
    std::vector<int> sources;
    std::vector<int> destinations;
};

/// The largest number of neighbours of any rank of `random_graph`, on either side.
[[nodiscard]] int graph_degree(int n_ranks, int degree);

/// A directed graph that the seed decides. No rank has more than graph_degree() sources or destinations, and one rank
/// has this many of both. Where there are enough ranks, one receives nothing and one sends nothing (they may be the
/// same). Each edge occurs once; it may lead back to its own rank.
[[nodiscard]] GraphNeighbours random_graph(int n_ranks, int rank, int degree, std::uint64_t seed);

// Family neighbourhood: the neighbours of every rank of a torus, as relative coordinates, the same for all ranks.

/// Made for a number of dimensions.
using NeighbourhoodMember = Member<Neighbourhood, int>;

namespace neighbourhood {

[[nodiscard]] const Registry<Neighbourhood, int>& registry();
[[nodiscard]] const FamilyInfo& family();

} // namespace neighbourhood

// The blocks that a rank of a process topology receives in a neighbourhood collective, and from whom. Our own
// arithmetic, by which the result of an MPI library is judged.

/// A block that a rank receives.
struct IncomingBlock {
    static constexpr int nobody = -1; ///< there is no neighbour: the block is not written
    int rank = nobody;
    int block = 0; ///< which of the blocks that this rank sends
    friend bool operator==(const IncomingBlock&, const IncomingBlock&) = default;
};

struct Links {
    std::vector<IncomingBlock> incoming; ///< one a block of the receive buffer
    int outgoing = 0;                    ///< blocks of the send buffer, those to nobody included
};

/// On a Cartesian grid: in each dimension the neighbour before, then the one behind. What a rank sends to the one
/// before it is what that rank receives from behind it, so block i arrives as block i xor 1, also where both are the
/// same rank (MPI 4.1, sec. 8.6).
[[nodiscard]] Links cartesian_links(std::span<const int> lengths, bool periodic, int rank);

/// On neighbourhood.hpp's random graph: one block for each source.
[[nodiscard]] Links graph_links(int n_ranks, int rank, int degree, std::uint64_t seed);

} // namespace ictus
