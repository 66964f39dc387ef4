// How this core was built.
#pragma once

#include <string>

namespace ictus::record {

/// What the build did not tell is "unknown".
struct BuildFacts {
    std::string version; ///< of Ictus
    std::string compiler;
    std::string flags;
    std::string build_type;
    std::string source_hash;
};

[[nodiscard]] BuildFacts build_facts();

} // namespace ictus::record
