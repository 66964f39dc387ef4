// Pinning as it is really in force, whatever the launcher was asked for.
#pragma once

#include <optional>
#include <vector>

namespace ictus::record {

/// The CPUs that the calling thread may run on, ascending; absent where the system does not tell.
[[nodiscard]] std::optional<std::vector<int>> allowed_cpus();
/// The CPU that the calling thread is on at this moment.
[[nodiscard]] std::optional<int> current_cpu();

} // namespace ictus::record
