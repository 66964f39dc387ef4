#include "machine/cpu.hpp"

#include "machine/cpu_set.hpp"

#include <algorithm>
#include <map>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ictus::machine {
namespace {

/// "32K", "1024K", "32M", "512" (bytes): the kernel's way of writing sizes.
std::optional<std::uint64_t> cache_size(std::string_view text) {
    std::uint64_t unit = 1;
    if (!text.empty() && (text.back() == 'K' || text.back() == 'M' || text.back() == 'G')) {
        unit = text.back() == 'K' ? 1ULL << 10 : text.back() == 'M' ? 1ULL << 20 : 1ULL << 30;
        text.remove_suffix(1);
    }
    const std::optional<std::int64_t> number = to_integer(text);
    return number && *number > 0 ? std::optional(static_cast<std::uint64_t>(*number) * unit) : std::nullopt;
}

std::vector<int> cpus_of(const SystemTree& tree, const std::string& path) {
    const std::optional<std::string> text = tree.word(path);
    return (text ? parse_cpu_list(*text) : std::nullopt).value_or(std::vector<int>{});
}

} // namespace

std::vector<CacheFact> read_caches(const SystemTree& tree, int cpu) {
    std::vector<CacheFact> caches;
    const std::string folder = folder_of_cpu(cpu) + "cache/";
    for (const std::string& name : tree.names(folder)) {
        const std::string cache = folder + name + "/";
        const std::optional<std::int64_t> level = tree.integer(cache + "level");
        const std::optional<std::uint64_t> size = cache_size(tree.word(cache + "size").value_or(""));
        if (level && size && tree.word(cache + "type") != "Instruction") {
            caches.push_back({static_cast<int>(*level), *size, cpus_of(tree, cache + "shared_cpu_list")});
        }
    }
    std::ranges::sort(caches, {}, &CacheFact::level);
    return caches;
}

std::optional<std::uint64_t> last_private_cache(const SystemTree& tree, int cpu) {
    std::vector<int> core = cpus_of(tree, folder_of_cpu(cpu) + "topology/thread_siblings_list");
    if (core.empty()) {
        core = {cpu};
    }
    std::optional<std::uint64_t> last;
    for (const CacheFact& cache : read_caches(tree, cpu)) {
        if (!cache.cpus.empty() && std::ranges::includes(core, cache.cpus)) {
            last = cache.size_bytes;
        }
    }
    return last;
}

std::optional<std::uint64_t> second_level_cache() {
#ifdef _SC_LEVEL2_CACHE_SIZE
    const long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
    if (size > 0) {
        return static_cast<std::uint64_t>(size);
    }
#endif
    return std::nullopt;
}

namespace {

const std::string cpu_folder = "sys/devices/system/cpu/";

/// The value of the first line "name : value" of /proc/cpuinfo.
std::optional<std::string> cpuinfo_value(std::string_view cpuinfo, std::string_view name) {
    for (const std::string_view line : lines(cpuinfo)) {
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == name) {
            return std::string(trimmed(line.substr(colon + 1)));
        }
    }
    return std::nullopt;
}

/// x86 and LoongArch print a model name, POWER prints `cpu`. Arm prints numbers, which name the core without a table
/// that ages.
std::string model_name(std::string_view cpuinfo) {
    for (const std::string_view name : {"model name", "Model Name", "cpu"}) {
        if (const std::optional<std::string> value = cpuinfo_value(cpuinfo, name); value && !value->empty()) {
            return *value;
        }
    }
    const std::optional<std::string> implementer = cpuinfo_value(cpuinfo, "CPU implementer");
    const std::optional<std::string> part = cpuinfo_value(cpuinfo, "CPU part");
    if (!implementer || !part) {
        return std::string(unknown);
    }
    return "Arm implementer " + *implementer + " part " + *part + " variant " +
           cpuinfo_value(cpuinfo, "CPU variant").value_or(std::string(unknown)) + " revision " +
           cpuinfo_value(cpuinfo, "CPU revision").value_or(std::string(unknown));
}

std::optional<int> count_processors(std::string_view cpuinfo) {
    int count = 0;
    for (const std::string_view line : lines(cpuinfo)) {
        const std::size_t colon = line.find(':');
        count += colon != std::string_view::npos && trimmed(line.substr(0, colon)) == "processor" ? 1 : 0;
    }
    return count > 0 ? std::optional<int>(count) : std::nullopt;
}

std::string on_or_off(std::optional<std::int64_t> value, std::int64_t on) {
    return std::string(!value ? unknown : *value == on ? "on" : "off");
}

std::string smt(const SystemTree& tree) {
    if (const std::optional<std::int64_t> active = tree.integer(cpu_folder + "smt/active")) {
        return on_or_off(active, 1);
    }
    const std::optional<std::string> siblings = tree.word(cpu_folder + "cpu0/topology/thread_siblings_list");
    const std::optional<std::vector<int>> cpus = siblings ? parse_cpu_list(*siblings) : std::nullopt;
    return std::string(!cpus || cpus->empty() ? unknown : cpus->size() > 1 ? "on" : "off");
}

/// Each core once, by the first of its CPUs.
std::vector<std::string> siblings(const SystemTree& tree, const std::vector<int>& cpus) {
    std::vector<std::string> cores;
    for (const int cpu : cpus) {
        const std::vector<int> own = cpus_of(tree, folder_of_cpu(cpu) + "topology/thread_siblings_list");
        if (own.size() > 1 && own.front() == cpu) {
            cores.push_back(format_cpu_list(own));
        }
    }
    return cores;
}

std::vector<std::string> sockets(const SystemTree& tree, const std::vector<int>& cpus) {
    std::map<std::int64_t, std::vector<int>> own;
    for (const int cpu : cpus) {
        const std::optional<std::int64_t> socket = tree.integer(folder_of_cpu(cpu) + "topology/physical_package_id");
        if (!socket || *socket < 0) {
            return {};
        }
        own[*socket].push_back(cpu);
    }
    std::vector<std::string> lists;
    for (const auto& [socket, own_cpus] : own) {
        lists.push_back(format_cpu_list(own_cpus));
    }
    return lists;
}

std::string turbo(const SystemTree& tree) {
    if (const std::optional<std::int64_t> forbidden = tree.integer(cpu_folder + "intel_pstate/no_turbo")) {
        return on_or_off(forbidden, 0);
    }
    return on_or_off(tree.integer(cpu_folder + "cpufreq/boost"), 1);
}

/// Governor and range over all CPUs: cores of one machine may differ, and one slow core slows every collective
/// operation.
void read_frequency(const SystemTree& tree, const std::vector<int>& cpus, CpuFacts& facts) {
    constexpr double hz_per_khz = 1000.0;
    std::vector<std::string> governors;
    for (const int cpu : cpus) {
        const std::string folder = cpu_folder + "cpu" + std::to_string(cpu) + "/cpufreq/";
        if (const std::optional<std::string> governor = tree.word(folder + "scaling_governor")) {
            governors.push_back(*governor);
        }
        if (const std::optional<std::int64_t> low = tree.integer(folder + "scaling_min_freq")) {
            const double hz = static_cast<double>(*low) * hz_per_khz;
            facts.frequency_min_hz = std::min(facts.frequency_min_hz.value_or(hz), hz);
        }
        if (const std::optional<std::int64_t> high = tree.integer(folder + "scaling_max_freq")) {
            const double hz = static_cast<double>(*high) * hz_per_khz;
            facts.frequency_max_hz = std::max(facts.frequency_max_hz.value_or(hz), hz);
        }
    }
    std::sort(governors.begin(), governors.end());
    governors.erase(std::unique(governors.begin(), governors.end()), governors.end());
    for (std::size_t i = 0; i < governors.size(); ++i) {
        facts.governor = i == 0 ? governors[i] : facts.governor + ", " + governors[i];
    }
}

} // namespace

bool CpuFacts::has_flag(std::string_view flag) const {
    const std::vector<std::string_view> known = words(flags);
    return std::find(known.begin(), known.end(), flag) != known.end();
}

std::optional<bool> CpuFacts::tsc_invariant() const {
    return has_flag("tsc") ? std::optional(has_flag("constant_tsc") && has_flag("nonstop_tsc")) : std::nullopt;
}

CpuFacts read_cpu(const SystemTree& tree) {
    CpuFacts facts;
    const std::string cpuinfo = tree.text("proc/cpuinfo").value_or("");
    facts.model = model_name(cpuinfo);
    for (const std::string_view name : {"flags", "Features"}) {
        if (std::optional<std::string> value = cpuinfo_value(cpuinfo, name)) {
            facts.flags = std::move(*value);
            break;
        }
    }
    const std::optional<std::string> online = tree.word(cpu_folder + "online");
    const std::vector<int> cpus = (online ? parse_cpu_list(*online) : std::nullopt).value_or(std::vector<int>{});
    facts.n_cpus = cpus.empty() ? count_processors(cpuinfo) : static_cast<int>(cpus.size());
    facts.smt = smt(tree);
    facts.turbo = turbo(tree);
    facts.siblings = siblings(tree, cpus);
    facts.sockets = sockets(tree, cpus);
    read_frequency(tree, cpus, facts);
    return facts;
}

} // namespace ictus::machine
