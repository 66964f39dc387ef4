// The processor of a host and its caches.
#pragma once

#include "machine/system_tree.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ictus::machine {

/// A data cache of the processor, as the system describes it.
struct CacheFact {
    int level = 0;
    std::uint64_t size_bytes = 0;
    std::vector<int> cpus; ///< that share it, ascending; empty where the system does not tell

    friend bool operator==(const CacheFact&, const CacheFact&) = default;
};

/// The caches of `cpu` that hold data, by level; empty where the system does not report them. From sysfs.
[[nodiscard]] std::vector<CacheFact> read_caches(const SystemTree& tree, int cpu);

/// The size of the last cache that the core of `cpu` has for itself: no CPU but those of the same core shares it.
/// Absent where the system does not report it.
[[nodiscard]] std::optional<std::uint64_t> last_private_cache(const SystemTree& tree, int cpu);

/// The same from the C library (sysconf), which knows sizes by level but not who shares them: the second level.
/// For systems without sysfs.
[[nodiscard]] std::optional<std::uint64_t> second_level_cache();

/// The processor and what changes its speed: model, SMT, governor, frequency range, turbo.
struct CpuFacts {
    std::string model{unknown};
    std::string flags{unknown};             ///< the feature words of the first CPU, separated by blanks
    std::optional<int> n_cpus;              ///< online
    std::string smt{unknown};               ///< "on", "off"
    std::string governor{unknown};          ///< where CPUs differ, all of them: "performance, powersave"
    std::optional<double> frequency_min_hz; ///< the range that the governor may use
    std::optional<double> frequency_max_hz;
    std::string turbo{unknown};        ///< "on", "off"
    std::vector<std::string> siblings; ///< the CPUs of each core that has several, as "0,64"
    std::vector<std::string> sockets;  ///< the CPUs of each socket, as "0-31,64-95"; empty where one does not say

    /// Whether the time stamp counter is a clock: it runs at one rate and never stops. Absent where there is none, or
    /// the processor does not say.
    [[nodiscard]] std::optional<bool> tsc_invariant() const;

    /// Whether `flags` is known and holds the word.
    [[nodiscard]] bool has_flag(std::string_view flag) const;
};

[[nodiscard]] CpuFacts read_cpu(const SystemTree& tree);

} // namespace ictus::machine
