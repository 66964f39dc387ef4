#include "clocksync/grouping.hpp"

#include <algorithm>
#include <numeric>

namespace ictus {

std::vector<int> leaders_by_key(std::span<const std::int64_t> keys) {
    const auto key = [&](int rank) { return keys[static_cast<std::size_t>(rank)]; };
    std::vector<int> ranks(keys.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) { return key(a) < key(b); });
    std::vector<int> leader_of(keys.size());
    int leader = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        leader = i == 0 || key(ranks[i]) != key(ranks[i - 1]) ? ranks[i] : leader;
        leader_of[static_cast<std::size_t>(ranks[i])] = leader;
    }
    return leader_of;
}

std::vector<int> members_of(std::span<const int> leader_of, int leader) {
    std::vector<int> members;
    for (std::size_t rank = 0; rank < leader_of.size(); ++rank) {
        if (leader_of[rank] == leader) {
            members.push_back(static_cast<int>(rank));
        }
    }
    return members;
}

} // namespace ictus
