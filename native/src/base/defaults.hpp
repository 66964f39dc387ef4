// What is taken where nothing is said: the same in ictus-bench and in libictus.
#pragma once

#include "base/simulated.hpp"

#include <string_view>

namespace ictus::defaults {

inline constexpr std::string_view clock = is_simulated ? "wtime" : "tsc"; ///< a simulator governs no counter
inline constexpr std::string_view clocksync = "ictus";

} // namespace ictus::defaults
