// What a rank of a process topology receives from whom in a neighbourhood collective. Our own arithmetic: what an MPI
// library delivers is judged by it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

/// A block that a rank receives.
struct Incoming {
    static constexpr int nobody = -1; ///< there is no neighbour: the block is not written
    int rank = nobody;
    int block = 0; ///< which of the blocks that this rank sends
    friend bool operator==(const Incoming&, const Incoming&) = default;
};

struct Links {
    std::vector<Incoming> incoming; ///< one a block of the receive buffer
    int outgoing = 0;               ///< blocks of the send buffer, those to nobody included
};

/// On a Cartesian grid: in each dimension the neighbour before, then the one behind. What a rank sends to the one
/// before it is what that rank receives from behind it, so block i arrives as block i xor 1, also where both are the
/// same rank (MPI 4.1, sec. 8.6).
[[nodiscard]] Links cartesian_links(std::span<const int> lengths, bool periodic, int rank);

/// On neighbourhood.hpp's random graph: one block for each source.
[[nodiscard]] Links graph_links(int n_ranks, int rank, int degree, std::uint64_t seed);

} // namespace ictus
