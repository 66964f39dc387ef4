// All families, in plain sight.
#pragma once

#include "base/parameter.hpp"

#include <string>
#include <vector>

namespace ictus::tool {

[[nodiscard]] std::vector<const FamilyInfo*> families();

// All registries and options as JSON: the one source for Python, help and docs.

/// docs/file-format.md, describe.json.
[[nodiscard]] std::string describe();
/// Which operations the library of this build has, and which with large counts, as JSON.
[[nodiscard]] std::string availability();

} // namespace ictus::tool
