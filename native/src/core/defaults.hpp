// What is taken where nothing is said: the same in ictus-bench and in libictus.
#pragma once

#include <string_view>

namespace ictus::defaults {

inline constexpr std::string_view clock = "tsc";
inline constexpr std::string_view clocksync = "hca3";

} // namespace ictus::defaults
