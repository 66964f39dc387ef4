#include "machine/host.hpp"

#include "base/simulated.hpp"

#include <sys/utsname.h>

namespace ictus::record {

namespace {

/// /proc/loadavg begins with the three averages. All of them or none.
std::vector<double> load_average(const SystemTree& tree) {
    const std::string content = tree.text("proc/loadavg").value_or("");
    const std::vector<std::string_view> parts = words(content);
    std::vector<double> averages;
    for (std::size_t i = 0; i < 3 && i < parts.size(); ++i) {
        if (const std::optional<double> average = to_real(parts[i])) {
            averages.push_back(*average);
        }
    }
    return averages.size() == 3 ? averages : std::vector<double>{};
}

/// `mlx5_0` for a fabric adapter, `eth0 (10000 Mb/s)` for an interface whose driver tells its speed.
std::vector<std::string> network(const SystemTree& tree) {
    std::vector<std::string> found = tree.names("sys/class/infiniband");
    for (const std::string& name : tree.names("sys/class/net")) {
        const std::string folder = "sys/class/net/" + name + "/";
        if (name == "lo" || tree.word(folder + "operstate").value_or("") == "down") {
            continue;
        }
        const std::optional<std::int64_t> speed = tree.integer(folder + "speed");
        found.push_back(speed && *speed > 0 ? name + " (" + std::to_string(*speed) + " Mb/s)" : name);
    }
    return found;
}

} // namespace

HostFacts read_host(const SystemTree& tree) {
    HostFacts facts;
    if constexpr (is_simulated) { // this machine is not the one that the ranks are on
        return facts;
    }
    utsname names{};
    if (uname(&names) == 0) {
        facts.name = names.nodename;
        facts.kernel = std::string(names.sysname) + " " + names.release + " " + names.version + " " + names.machine;
    }
    facts.clocksource =
        tree.word("sys/devices/system/clocksource/clocksource0/current_clocksource").value_or(facts.clocksource);
    facts.network = network(tree);
    facts.load_average = load_average(tree);
    return facts;
}

} // namespace ictus::record
