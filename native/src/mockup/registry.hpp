// The mock-ups in plain sight.
#pragma once

#include "mockup/algorithm.hpp"

#include <span>

namespace ictus::mockup {

[[nodiscard]] std::span<const Algorithm* const> all();

/// Of this name; null: there is none.
[[nodiscard]] const Algorithm* find(std::string_view name);

} // namespace ictus::mockup
