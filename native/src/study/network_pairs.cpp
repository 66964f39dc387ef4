#include "study/network_pairs.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <map>

namespace ictus {
namespace {

/// At most `most` of them, the first one among them, at even distances.
std::vector<RankPair> spread(const std::vector<RankPair>& pairs, std::size_t most) {
    std::vector<RankPair> chosen;
    const std::size_t n = std::min(pairs.size(), most);
    for (std::size_t i = 0; i < n; ++i) {
        chosen.push_back(pairs[i * pairs.size() / n]);
    }
    return chosen;
}

} // namespace

std::vector<RankPair> sample_links(std::span<const RankLocation> locations, std::size_t most) {
    std::map<int, std::vector<int>> lowest; // by host; the two lowest ranks of each
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        std::vector<int>& own = lowest[locations[rank].host];
        if (own.size() < 2) {
            own.push_back(static_cast<int>(rank));
        }
    }
    std::vector<RankPair> inside;
    std::vector<RankPair> between;
    for (const auto& [host, ranks] : lowest) {
        if (ranks.size() == 2) {
            inside.push_back({ranks[0], ranks[1]});
        }
        if (host != lowest.begin()->first) {
            between.push_back({lowest.begin()->second.front(), ranks.front()});
        }
    }
    std::vector<RankPair> chosen = spread(inside, most);
    const std::vector<RankPair> far = spread(between, most);
    chosen.insert(chosen.end(), far.begin(), far.end());
    return chosen;
}

std::vector<RankPair> random_matching(int n_ranks, std::uint64_t seed) {
    const std::vector<std::uint64_t> order = shuffled_order(static_cast<std::uint64_t>(n_ranks), seed);
    std::vector<RankPair> pairs;
    for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
        pairs.push_back({static_cast<int>(order[i]), static_cast<int>(order[i + 1])});
    }
    return pairs;
}

} // namespace ictus
