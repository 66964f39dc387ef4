// Which ranks a study of the network lets talk: links of both kinds, and random matchings. No MPI.
#pragma once

#include "transport/transport.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

struct RankPair {
    int from = 0;
    int to = 0;
    friend bool operator==(const RankPair&, const RankPair&) = default;
};

/// At most `most` pairs inside hosts (the two lowest ranks of one) and as many between them (the lowest rank of the
/// first host and that of another), the hosts spread evenly over all.
[[nodiscard]] std::vector<RankPair> sample_links(std::span<const RankLocation> locations, std::size_t most);

/// One half of the ranks, each with a partner in the other half, all drawn from the seed; of an odd number one is left
/// out. Hoefler, Schneider and Lumsdaine 2008, "Multistage switches are not crossbars".
[[nodiscard]] std::vector<RankPair> random_matching(int n_ranks, std::uint64_t seed);

} // namespace ictus
