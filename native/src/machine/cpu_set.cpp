#include "machine/cpu_set.hpp"

#include "machine/system_tree.hpp"

#include <cerrno>
#include <cstdint>
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

std::optional<std::vector<int>> allowed_cpus(const AffinityReader& read) {
    constexpr int bits = 8 * sizeof(unsigned long);
    for (int capacity = 1024; capacity <= cpu_limit; capacity *= 4) {
        std::vector<unsigned long> mask(static_cast<std::size_t>(capacity / bits));
        if (read(mask.size() * sizeof(unsigned long), mask.data()) == 0) {
            std::vector<int> cpus;
            for (int cpu = 0; cpu < capacity; ++cpu) {
                if ((mask[static_cast<std::size_t>(cpu / bits)] >> (cpu % bits) & 1u) != 0) {
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

#if defined(__linux__)

std::optional<std::vector<int>> allowed_cpus() {
    return allowed_cpus([](std::size_t bytes, unsigned long* mask) {
        return sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t*>(mask));
    });
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
