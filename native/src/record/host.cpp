#include "record/host.hpp"

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

} // namespace

HostFacts read_host(const SystemTree& tree) {
    HostFacts facts;
    utsname names{};
    if (uname(&names) == 0) {
        facts.name = names.nodename;
        facts.kernel = std::string(names.sysname) + " " + names.release + " " + names.version + " " + names.machine;
    }
    facts.clocksource =
        tree.word("sys/devices/system/clocksource/clocksource0/current_clocksource").value_or(facts.clocksource);
    facts.load_average = load_average(tree);
    return facts;
}

} // namespace ictus::record
