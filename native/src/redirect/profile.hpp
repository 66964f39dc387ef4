// The profile: which call becomes which mock-up (docs/redirect.md). Knows no MPI calls: text in, lines out. The same
// readers in Python are src/ictus/programs/redirect/profile.py and profiles.py.
#pragma once

#include "mockup/algorithm.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ictus::redirect {

/// One line.
struct Reroute {
    const mockup::Algorithm* mockup;
    int n;                    ///< processes of the communicator
    std::uint64_t from_bytes; ///< total volume, both ends included
    std::uint64_t to_bytes;
    int line; ///< of the file, from 1
};

struct Profile {
    std::string library;           ///< that it was measured on; empty: not told
    std::vector<Reroute> reroutes; ///< that do not overlap
    std::vector<std::string> remarks;
};

/// A file.
struct Source {
    std::string name; ///< for messages
    std::string text;
};

/// Files of our form or PGMPITuneLib's (pgmpi.hpp), in their order. Throws a usage Error that names file, line and what
/// is allowed.
[[nodiscard]] Profile parse_profiles(const std::vector<Source>& sources);

} // namespace ictus::redirect
