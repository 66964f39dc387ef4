// All registries and options as JSON: the one source for Python, help and docs.
#pragma once

#include <string>

namespace ictus::tool {

/// docs/file-format.md, describe.json.
[[nodiscard]] std::string describe();
/// Which operations the library of this build has, and which with large counts, as JSON.
[[nodiscard]] std::string availability();

} // namespace ictus::tool
