#include "machine/cpu_set.hpp"

#include "machine/system_tree.hpp"

#include <cerrno>
#include <cstdint>
#include <memory>
#include <sched.h>

namespace ictus::machine {
namespace {

/// More CPUs than any machine has; a longer range is a damaged file, not a list to build.
constexpr std::int64_t cpu_limit = 1 << 20;

} // namespace

std::string format_cpu_list(const std::vector<int>& cpus) {
    std::string text;
    for (std::size_t first = 0; first < cpus.size();) {
        std::size_t last = first;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
            ++last;
        }
        text += text.empty() ? "" : ",";
        text += std::to_string(cpus[first]);
        if (last > first) {
            text += "-" + std::to_string(cpus[last]);
        }
        first = last + 1;
    }
    return text;
}

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
    std::vector<int> cpus;
    text = trimmed(text);
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view range = text.substr(0, comma);
        const std::size_t dash = range.find('-');
        const std::optional<std::int64_t> first = to_integer(range.substr(0, dash));
        const std::optional<std::int64_t> last =
            dash == std::string_view::npos ? first : to_integer(range.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last >= cpu_limit) {
            return std::nullopt;
        }
        for (std::int64_t cpu = *first; cpu <= *last; ++cpu) {
            cpus.push_back(static_cast<int>(cpu));
        }
        if (comma == std::string_view::npos) {
            break;
        }
        text.remove_prefix(comma + 1);
        if (text.empty()) {
            return std::nullopt;
        }
    }
    return cpus;
}

#if defined(__linux__)

std::optional<std::vector<int>> allowed_cpus() {
    // The kernel refuses a set smaller than its own with EINVAL; cpu_set_t's 1024 CPUs are too few on the largest
    // machines.
    for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) {
        const auto release = [](cpu_set_t* set) { CPU_FREE(set); };
        const std::unique_ptr<cpu_set_t, decltype(release)> set(CPU_ALLOC(static_cast<std::size_t>(capacity)), release);
        if (!set) {
            return std::nullopt;
        }
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
        CPU_ZERO_S(bytes, set.get());
        if (sched_getaffinity(0, bytes, set.get()) == 0) {
            std::vector<int> cpus;
            for (int cpu = 0; cpu < capacity; ++cpu) {
                if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.get())) {
                    cpus.push_back(cpu);
                }
            }
            return cpus;
        }
        if (errno != EINVAL) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<int> current_cpu() {
    const int cpu = sched_getcpu();
    return cpu >= 0 ? std::optional<int>(cpu) : std::nullopt;
}

#else

std::optional<std::vector<int>> allowed_cpus() { return std::nullopt; }
std::optional<int> current_cpu() { return std::nullopt; }

#endif

} // namespace ictus::machine
