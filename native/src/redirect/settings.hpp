// The variables that libictus-redirect is told by.
#pragma once

#include <cstdint>
#include <string>

namespace ictus::redirect {

struct RedirectSettings {
    std::string profile;           ///< file
    std::string report;            ///< file; empty: lines on standard error
    std::uint64_t limit_bytes = 0; ///< volume of the largest call that is rerouted: bounds the memory
    std::uint64_t n_ranks = 0;     ///< that were asked for; 0: not told
};

/// From the environment. Throws a usage Error that names variable, value and what is allowed.
[[nodiscard]] RedirectSettings read_settings();

} // namespace ictus::redirect
