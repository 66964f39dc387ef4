// Groups of ranks by equal keys. Arithmetic on ranks only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

/// For each rank the first rank with the same key, which leads their group.
[[nodiscard]] std::vector<int> leaders_by_key(std::span<const std::int64_t> keys);

/// The ranks whose leader is `leader`, ascending: the leader is the first.
[[nodiscard]] std::vector<int> members_of(std::span<const int> leader_of, int leader);

} // namespace ictus
