// The processor and what changes its speed: model, SMT, governor, frequency range, turbo.
#pragma once

#include "machine/system_tree.hpp"

#include <optional>
#include <string>

namespace ictus::record {

struct CpuFacts {
    std::string model{unknown};
    std::string flags{unknown};             ///< the feature words of the first CPU, separated by blanks
    std::optional<int> n_cpus;              ///< online
    std::string smt{unknown};               ///< "on", "off"
    std::string governor{unknown};          ///< where CPUs differ, all of them: "performance, powersave"
    std::optional<double> frequency_min_hz; ///< the range that the governor may use
    std::optional<double> frequency_max_hz;
    std::string turbo{unknown}; ///< "on", "off"

    /// Whether `flags` is known and holds the word.
    [[nodiscard]] bool has_flag(std::string_view flag) const;
};

[[nodiscard]] CpuFacts read_cpu(const SystemTree& tree);

} // namespace ictus::record
