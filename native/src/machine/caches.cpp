#include "machine/caches.hpp"

#include "machine/cpu_list.hpp"

#include <algorithm>
#include <unistd.h>

namespace ictus::record {

namespace {

std::string folder_of(int cpu) { return "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/"; }

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
    const std::string folder = folder_of(cpu) + "cache/";
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
    std::vector<int> core = cpus_of(tree, folder_of(cpu) + "topology/thread_siblings_list");
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

} // namespace ictus::record
