#include "machine/core_place.hpp"

#include "machine/cpu_set.hpp"

#include <string>

namespace ictus::machine {
namespace {

std::optional<int> socket_of(const SystemTree& tree, int cpu) {
    const std::optional<std::int64_t> socket = tree.integer(folder_of_cpu(cpu) + "topology/physical_package_id");
    return socket && *socket >= 0 ? std::optional(static_cast<int>(*socket)) : std::nullopt;
}

/// The first CPU behind the cache of the highest level.
std::optional<int> cache_of(const SystemTree& tree, int cpu) {
    const std::string caches = folder_of_cpu(cpu) + "cache/";
    std::optional<int> first;
    std::int64_t highest = 0;
    for (const std::string& name : tree.names(caches)) {
        const std::optional<std::int64_t> level = tree.integer(caches + name + "/level");
        const std::optional<std::vector<int>> sharing =
            parse_cpu_list(tree.word(caches + name + "/shared_cpu_list").value_or(""));
        if (level && *level > highest && sharing && !sharing->empty()) {
            highest = *level;
            first = sharing->front();
        }
    }
    return first;
}

/// What `read` says of all CPUs; absent where they differ.
template <class Read>
std::optional<int> common(const SystemTree& tree, const std::vector<int>& cpus, const Read& read) {
    std::optional<int> found;
    for (const int cpu : cpus) {
        const std::optional<int> own = read(tree, cpu);
        if (!own || (found && *found != *own)) {
            return std::nullopt;
        }
        found = own;
    }
    return found;
}

} // namespace

CorePlace core_place(const SystemTree& tree, const std::vector<int>& cpus) {
    return {common(tree, cpus, socket_of), common(tree, cpus, cache_of)};
}

} // namespace ictus::machine
