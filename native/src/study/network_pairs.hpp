// Which ranks a study of the network lets talk: links of every distance, and random matchings. No MPI.
#pragma once

#include "machine/core_place.hpp"
#include "transport/transport.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ictus {

struct RankPair {
    int from = 0;
    int to = 0;
    friend bool operator==(const RankPair&, const RankPair&) = default;
};

/// The nearest thing that two ranks have in common, from far to near.
inline constexpr std::array<std::string_view, 5> shared_names{"network", "switch", "host", "socket", "cache"};

/// Numbers of switch, host, socket and cache of a rank, which are equal where two ranks share all of them up to there.
using RankPlace = std::array<int, shared_names.size() - 1>;

/// What a rank knows of its own place.
struct OwnPlace {
    machine::CorePlace core;
    std::string network_switch; ///< the way to it; empty where the batch system does not say it
};

/// The place of each rank: what is not known is shared with nobody (a switch: with nobody of another host).
[[nodiscard]] std::vector<RankPlace> places_of(std::span<const RankLocation> locations, std::span<const OwnPlace> own);

struct NetworkLink {
    RankPair pair;
    std::string_view shared; ///< one of `shared_names`
    friend bool operator==(const NetworkLink&, const NetworkLink&) = default;
};

/// At most `most` pairs of each distance, near ones first, spread evenly over what could hold them; which ranks of it
/// is drawn. The same places give the same pairs.
[[nodiscard]] std::vector<NetworkLink> sample_links(std::span<const RankPlace> places, std::size_t most);

/// Half of the ranks of each host with the other half; of an odd number one is left out. All are drawn from the seed.
[[nodiscard]] std::vector<RankPair> matching_inside(std::span<const RankLocation> locations, std::uint64_t seed);

/// Half of the hosts with the other half, rank by rank, as far as both have one. All are drawn from the seed. Hoefler,
/// Schneider and Lumsdaine 2008, "Multistage switches are not crossbars".
[[nodiscard]] std::vector<RankPair> matching_between(std::span<const RankLocation> locations, std::uint64_t seed);

/// The way to a node's switch in SLURM_TOPOLOGY_ADDR, `top.leaf.node`; empty where it names none.
[[nodiscard]] std::string switch_of(std::string_view topology_address);

} // namespace ictus
