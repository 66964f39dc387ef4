// A simulated world named in the grammar of names: world(size=64,drift=20ppm,jitter=300ns,...).
#pragma once

#include "transport/simulated_world.hpp"

#include <string_view>

namespace ictus::simulation {

/// Throws a usage Error that names the parameter, the value and what is allowed.
[[nodiscard]] SimulatedSettings parse_world(std::string_view text);

} // namespace ictus::simulation
