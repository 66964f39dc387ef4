// What the cores of a rank share with others: their socket, and the cache behind which the memory is.
#pragma once

#include "machine/system_tree.hpp"

#include <optional>
#include <vector>

namespace ictus::machine {

/// Numbers of one host: equal where two ranks share it. Absent where the kernel does not say, or the rank may run on
/// cores of several.
struct CorePlace {
    std::optional<int> socket;
    std::optional<int> cache; ///< of the last level; named by its first CPU
    friend bool operator==(const CorePlace&, const CorePlace&) = default;
};

[[nodiscard]] CorePlace core_place(const SystemTree& tree, const std::vector<int>& cpus);

} // namespace ictus::machine
