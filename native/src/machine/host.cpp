#include "machine/host.hpp"

#include "base/defaults.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sys/utsname.h>
#include <utility>

namespace ictus::machine {
namespace {

std::string kind(const SystemTree& tree, std::string_view control_groups) {
    if (const std::optional<std::string> container = tree.word("run/systemd/container")) {
        return *container;
    }
    static const std::array<std::pair<const char*, const char*>, 4> marks{
        {{"run/.containerenv", "podman"},
         {".dockerenv", "docker"},
         {".singularity.d", "apptainer"},
         {"var/run/secrets/kubernetes.io", "kubernetes"}}};
    for (const auto& [path, name] : marks) {
        if (tree.exists(path)) {
            return name;
        }
    }
    for (const char* name : {"docker", "kubepods", "libpod", "lxc"}) {
        if (control_groups.find(name) != std::string_view::npos) {
            return name == std::string_view("kubepods") ? "kubernetes"
                   : name == std::string_view("libpod") ? "podman"
                                                        : name;
        }
    }
    return std::string(control_groups.empty() ? unknown : "none");
}

/// The path of the unified hierarchy: the line "0::/path".
std::string unified_group(std::string_view control_groups) {
    for (const std::string_view line : lines(control_groups)) {
        if (line.substr(0, 3) == "0::") {
            return std::string(line.substr(3));
        }
    }
    return {};
}

std::optional<double> ratio(std::optional<double> quota, std::optional<double> period) {
    return quota && period && *quota > 0.0 && *period > 0.0 ? std::optional<double>(*quota / *period) : std::nullopt;
}

/// cpu.max holds "QUOTA PERIOD" in microseconds, the quota being "max" where there is none.
std::optional<double> unified_quota(const SystemTree& tree, const std::string& group) {
    const std::string content = tree.text("sys/fs/cgroup" + group + "/cpu.max").value_or("");
    const std::vector<std::string_view> parts = words(content);
    return parts.size() == 2 ? ratio(to_real(parts[0]), to_real(parts[1])) : std::nullopt;
}

std::optional<double> legacy_quota(const SystemTree& tree) {
    const auto value = [&](const char* name) {
        const std::optional<std::int64_t> number = tree.integer(std::string("sys/fs/cgroup/cpu/") + name);
        return number ? std::optional<double>(static_cast<double>(*number)) : std::nullopt;
    };
    return ratio(value("cpu.cfs_quota_us"), value("cpu.cfs_period_us"));
}

/// The tightest quota on the way from our own group to the root: every level counts.
std::optional<double> quota(const SystemTree& tree, std::string group) {
    std::optional<double> tightest = legacy_quota(tree);
    while (true) {
        if (const std::optional<double> here = unified_quota(tree, group)) {
            tightest = std::min(tightest.value_or(*here), *here);
        }
        const std::size_t slash = group.rfind('/');
        if (slash == std::string::npos) {
            return tightest;
        }
        group.erase(slash);
    }
}

} // namespace

ContainerFacts read_container(const SystemTree& tree) {
    const std::string control_groups = tree.text("proc/self/cgroup").value_or("");
    return {kind(tree, control_groups), quota(tree, unified_group(control_groups))};
}

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

/// The choice that the kernel puts in brackets: `always [madvise] never`.
std::string chosen(std::string_view choices) {
    const std::size_t begin = choices.find('[');
    const std::size_t end = choices.find(']');
    return std::string(begin < end && end != std::string_view::npos ? choices.substr(begin + 1, end - begin - 1)
                                                                    : unknown);
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
    facts.huge_pages = chosen(tree.word("sys/kernel/mm/transparent_hugepage/enabled").value_or(""));
    facts.shm_bytes = tree.capacity("dev/shm");
    facts.network = network(tree);
    facts.load_average = load_average(tree);
    return facts;
}

std::string node_name(const std::string& host) {
    for (const char* variable : {"SLURMD_NODENAME", "PALS_NODEID"}) {
        const char* name = is_simulated ? nullptr : std::getenv(variable);
        if (name != nullptr && *name != '\0') {
            return name;
        }
    }
    return host;
}

} // namespace ictus::machine
