// All registries and options as JSON: the one source for Python, help and docs.
#pragma once

#include <string>

namespace ictus::tool {

/// docs/file-format.md, describe.json.
[[nodiscard]] std::string describe();

} // namespace ictus::tool
