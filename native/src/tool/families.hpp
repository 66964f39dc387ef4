// All families, in plain sight.
#pragma once

#include "base/parameter.hpp"

#include <vector>

namespace ictus::tool {

[[nodiscard]] std::vector<const FamilyInfo*> families();

} // namespace ictus::tool
