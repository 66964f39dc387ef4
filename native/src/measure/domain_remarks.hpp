// What to say of ranks that do not read the counter that they were said to read.
#pragma once

#include "measure/workplace.hpp"

#include <string>
#include <vector>

namespace ictus {

/// Of the claims that did not hold when the launch began.
[[nodiscard]] std::vector<std::string> opening_domain_remarks(Workplace& workplace);

/// Collective, at the end of a launch: the domains of its beginning are verified once more. Counters of different rates
/// that met then have parted by now. Clocks were measured again after each block, so the stamps are mapped by what was
/// found; windows, which rest on the model known beforehand, were missed.
[[nodiscard]] std::vector<std::string> closing_domain_remarks(Workplace& workplace);

} // namespace ictus
