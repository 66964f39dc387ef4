// The variables that libictus-preload is told by.
#pragma once

#include "preload/meaning.hpp"

#include <cstdint>
#include <string>

namespace ictus::preload {

struct Settings {
    std::string procsync; ///< full form
    std::string given;    ///< as it was written
    Meaning meaning{};
    std::string clocksync; ///< of each communicator's global time; `none` where the procsync needs none
    std::string clock;
    std::string log; ///< folder; empty: exits are not logged
    std::uint64_t log_limit = 0;
    std::string report;        ///< file; empty: a line on standard error
    std::uint64_t n_ranks = 0; ///< that were asked for; 0: not told
};

/// From the environment. Throws a usage Error that names variable, value and what is allowed.
[[nodiscard]] Settings read_settings();

/// One text of all that ranks must have in common.
[[nodiscard]] std::string fingerprint(const Settings& settings);

} // namespace ictus::preload
