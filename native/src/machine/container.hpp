// Hints that this is a container, and the CPU quota that its control group may impose. A quota stops ranks in
// mid-operation without showing up as run-queue delay, so it must be known.
#pragma once

#include "machine/system_tree.hpp"

#include <optional>
#include <string>

namespace ictus::record {

struct ContainerFacts {
    std::string kind{unknown}; ///< "docker", "podman", "kubernetes", "lxc", ..., or "none" where no hint was found
    std::optional<double>
        quota_cpus; ///< CPU time per wall-clock time that the control groups allow; absent = no limit seen
};

[[nodiscard]] ContainerFacts read_container(const SystemTree& tree);

} // namespace ictus::record
