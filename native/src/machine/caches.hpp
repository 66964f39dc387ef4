// The processor's data caches, as the system tells them.
#pragma once

#include "machine/system_tree.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ictus::record {

struct CacheFact {
    int level = 0;
    std::uint64_t size_bytes = 0;
    std::vector<int> cpus; ///< that share it, ascending; empty where the system does not tell

    friend bool operator==(const CacheFact&, const CacheFact&) = default;
};

/// The caches of `cpu` that hold data, by level; empty where the system does not tell. From sysfs.
[[nodiscard]] std::vector<CacheFact> read_caches(const SystemTree& tree, int cpu);

/// The size of the last cache that the core of `cpu` has for itself: no CPU but those of the same core shares it.
/// Absent where the system does not tell.
[[nodiscard]] std::optional<std::uint64_t> last_private_cache(const SystemTree& tree, int cpu);

/// The same as the C library tells it (sysconf), which knows sizes by level and not who shares them: the second level.
/// For systems without sysfs.
[[nodiscard]] std::optional<std::uint64_t> second_level_cache();

} // namespace ictus::record
