#include "machine/affinity.hpp"

#include <cerrno>
#include <memory>

#include <sched.h>

namespace ictus::record {

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

} // namespace ictus::record
