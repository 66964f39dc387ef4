#include "machine/container.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ictus::record {

namespace {

std::string kind(const SystemTree& tree, std::string_view control_groups) {
    if (const std::optional<std::string> told = tree.word("run/systemd/container")) {
        return *told;
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

} // namespace ictus::record
