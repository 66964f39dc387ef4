#include "study/network_pairs.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace ictus {
namespace {

using Ranks = std::vector<int>;

/// Numbers from here on are no socket's, cache's or switch's of the kernel or the batch system.
constexpr int nobody_else = std::numeric_limits<int>::min();

/// One place that two ranks can share, by what lies in it.
using Group = std::map<int, Ranks>;

/// The places of which there is one for each way of `depth` steps, as far as they hold more than one thing.
std::vector<Group> groups_at(std::span<const RankPlace> places, std::size_t depth) {
    std::map<std::vector<int>, Group> found;
    for (std::size_t rank = 0; rank < places.size(); ++rank) {
        const int own = static_cast<int>(rank);
        const auto begin = places[rank].begin();
        const std::vector<int> way(begin, begin + static_cast<std::ptrdiff_t>(depth));
        found[way][depth < places[rank].size() ? places[rank][depth] : own].push_back(own);
    }
    std::vector<Group> groups;
    for (auto& [way, group] : found) {
        if (group.size() > 1) {
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

const Ranks& part(const Group& group, std::uint64_t place) {
    return std::next(group.begin(), static_cast<std::ptrdiff_t>(place))->second;
}

int drawn(const Ranks& ranks, SplitMix64& random) { return ranks[random.below(ranks.size())]; }

/// A rank in each of two parts of the group; the lower one is the client.
RankPair drawn(const Group& group, SplitMix64& random) {
    const std::uint64_t first = random.below(group.size());
    const std::uint64_t step = 1 + random.below(group.size() - 1);
    const int one = drawn(part(group, first), random);
    const int other = drawn(part(group, (first + step) % group.size()), random);
    return {std::min(one, other), std::max(one, other)};
}

std::vector<Ranks> by_host(std::span<const RankLocation> locations) {
    std::map<int, Ranks> found;
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        found[locations[rank].host].push_back(static_cast<int>(rank));
    }
    std::vector<Ranks> hosts;
    for (auto& [host, ranks] : found) {
        hosts.push_back(std::move(ranks));
    }
    return hosts;
}

template <class T>
std::vector<T> shuffled(const std::vector<T>& all, std::uint64_t seed) {
    std::vector<T> order;
    for (const std::uint64_t place : shuffled_order(all.size(), seed)) {
        order.push_back(all[place]);
    }
    return order;
}

} // namespace

std::vector<RankPlace> places_of(std::span<const RankLocation> locations, std::span<const OwnPlace> own) {
    std::vector<RankPlace> places;
    std::map<std::string, int> switches;
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        const int host = locations[rank].host;
        const int alone = nobody_else + static_cast<int>(rank);
        const OwnPlace& known = own[rank];
        const int own_switch =
            known.network_switch.empty()
                ? nobody_else + host
                : switches.try_emplace(known.network_switch, static_cast<int>(switches.size())).first->second;
        places.push_back({own_switch, host, known.core.socket.value_or(alone), known.core.cache.value_or(alone)});
    }
    return places;
}

std::vector<NetworkLink> sample_links(std::span<const RankPlace> places, std::size_t most) {
    constexpr int tries = 16; // of a pair that was drawn before
    std::vector<NetworkLink> links;
    for (std::size_t depth = shared_names.size(); depth-- > 0;) {
        const std::vector<Group> groups = groups_at(places, depth);
        SplitMix64 random(SplitMix64::mix(depth));
        for (std::size_t i = 0; i < most && !groups.empty(); ++i) {
            const Group& group = groups[groups.size() > most ? i * groups.size() / most : i % groups.size()];
            for (int attempt = 0; attempt < tries; ++attempt) {
                const NetworkLink link{drawn(group, random), shared_names[depth]};
                if (std::ranges::find(links, link) == links.end()) {
                    links.push_back(link);
                    break;
                }
            }
        }
    }
    return links;
}

std::vector<RankPair> matching_inside(std::span<const RankLocation> locations, std::uint64_t seed) {
    std::vector<RankPair> pairs;
    for (const Ranks& host : by_host(locations)) {
        const Ranks order = shuffled(host, seed + static_cast<std::uint64_t>(host.front()));
        for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
            pairs.push_back({order[i], order[i + 1]});
        }
    }
    return shuffled(pairs, seed);
}

std::vector<RankPair> matching_between(std::span<const RankLocation> locations, std::uint64_t seed) {
    std::vector<Ranks> hosts = shuffled(by_host(locations), seed);
    for (Ranks& host : hosts) {
        host = shuffled(host, seed + static_cast<std::uint64_t>(host.front()));
    }
    std::vector<RankPair> pairs;
    for (std::size_t i = 0; i + 1 < hosts.size(); i += 2) {
        for (std::size_t k = 0; k < std::min(hosts[i].size(), hosts[i + 1].size()); ++k) {
            pairs.push_back({hosts[i][k], hosts[i + 1][k]});
        }
    }
    return shuffled(pairs, seed);
}

std::string switch_of(std::string_view topology_address) {
    const std::size_t end = topology_address.rfind('.');
    return end == std::string_view::npos ? "" : std::string(topology_address.substr(0, end));
}

} // namespace ictus
