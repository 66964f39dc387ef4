// The options of a launch and of its cases, and those that studies have in common with them.
#pragma once

#include "base/defaults.hpp"
#include "base/option.hpp"
#include "clock/clock.hpp"

namespace ictus {

/// Options of the whole launch: the `launch` line of a plan.
[[nodiscard]] std::span<const Option> launch_options();
/// Options of a case: its line in a plan; on the command line they hold for all cases, and each combination of lists is
/// a case.
[[nodiscard]] std::span<const Option> case_options();

namespace option {

inline constexpr Option ranks =
    count("ranks", "0", "number of ranks that there must be; 0: any number", {.maximum = 1e7});
inline constexpr Option clock =
    member("clock", defaults::clock, "where a rank reads its local time", &ictus::clock::family);
inline constexpr Option clock_domain =
    choice("clock-domain", "auto",
           "which ranks are taken to read one counter, which is then verified: those of a host if its clock is common "
           "to it (auto), those of a host in any case (host), or none (rank)",
           "auto host rank");

} // namespace option

} // namespace ictus
