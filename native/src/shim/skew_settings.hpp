// What the environment asks of the skew shim: ICTUS_SKEW, ICTUS_SKEW_LOG, and the rank that the launcher gave us.
#pragma once

#include "clockmath/skew.hpp"

#include <optional>
#include <string>

namespace ictus::shim {

struct SkewSettings {
    std::uint64_t rank = 0;
    std::string scope;
    std::uint64_t owner = 0; ///< whose draw it is: the rank, or a hash of the host's name
    SkewDraw draw;
    std::string log; ///< empty: none
};

/// Nothing where nothing is to be skewed: ICTUS_SKEW is not set, or this process (a launcher, a shell) is no rank.
/// Throws a usage Error that names the variable and what is allowed.
[[nodiscard]] std::optional<SkewSettings> read_settings();

} // namespace ictus::shim
