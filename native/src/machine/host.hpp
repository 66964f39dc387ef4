// The host that a rank runs on, and the container around it.
#pragma once

#include "machine/system_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ictus::machine {

/// Signs of a container, and the CPU quota of its control group. A quota stops ranks in the middle of an operation, and
/// the run-queue delay does not show it.
struct ContainerFacts {
    std::string kind{unknown}; ///< "docker", "podman", "kubernetes", "lxc", ..., or "none" where no hint was found
    std::optional<double>
        quota_cpus; ///< CPU time per wall-clock time that the control groups allow; absent = no limit seen
};

[[nodiscard]] ContainerFacts read_container(const SystemTree& tree);

/// The machine without its processor: name, kernel, clock source, load.
struct HostFacts {
    std::string name{unknown};
    std::string kernel{unknown}; ///< as `uname -srvm`: the version tells whether it is preemptible
    std::string clocksource{unknown};
    std::string huge_pages{unknown};       ///< transparent ones: "always", "madvise", "never"
    std::optional<std::int64_t> shm_bytes; ///< size of /dev/shm
    std::vector<std::string> network;      ///< fabric adapters and network interfaces that are up, without the loopback
    std::vector<double> load_average;      ///< over 1, 5 and 15 minutes; empty where unknown
};

[[nodiscard]] HostFacts read_host(const SystemTree& tree);

/// The node of this process as the batch system calls it (SLURMD_NODENAME of Slurm, PALS_NODEID of PALS); `host` where
/// none says it. Several nodes of a batch system may be one host, and processes on them share its memory.
[[nodiscard]] std::string node_name(const std::string& host);

} // namespace ictus::machine
