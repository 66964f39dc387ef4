// The machine apart from its processor: name, kernel, clock source, load.
#pragma once

#include "machine/system_tree.hpp"

#include <string>
#include <vector>

namespace ictus::record {

struct HostFacts {
    std::string name{unknown};
    std::string kernel{unknown}; ///< as `uname -srvm`: the version tells whether it is preemptible
    std::string clocksource{unknown};
    std::vector<std::string> network; ///< fabric adapters and network interfaces that are up, without the loopback
    std::vector<double> load_average; ///< over 1, 5 and 15 minutes; empty where unknown
};

[[nodiscard]] HostFacts read_host(const SystemTree& tree);

} // namespace ictus::record
