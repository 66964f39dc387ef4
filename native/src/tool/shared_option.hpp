// Options that launches and studies of clocks have in common.
#pragma once

#include "base/defaults.hpp"
#include "clock/clock.hpp"
#include "tool/option.hpp"

namespace ictus::tool::shared {

inline constexpr Option ranks = {{.name = "ranks",
                                  .type = Parameter::Type::count,
                                  .default_value = "0",
                                  .help = "ranks that there must be; 0: any number",
                                  .maximum = 1e7}};
inline constexpr Option clock = {{.name = "clock",
                                  .type = Parameter::Type::member,
                                  .default_value = defaults::clock,
                                  .help = "where local time is read",
                                  .family = &ictus::clock::family}};
inline constexpr Option clock_domain = {
    {.name = "clock-domain",
     .type = Parameter::Type::choice,
     .default_value = "auto",
     .help = "which ranks are said to read one counter, which is then verified: those of a host where the clock is one "
             "for it (auto), in any case (host), or none (rank)",
     .choices = "auto host rank"}};

} // namespace ictus::tool::shared
