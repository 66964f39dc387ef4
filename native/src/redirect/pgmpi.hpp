// Profiles of PGMPITuneLib (Hunold and Carpen-Amarie): one collective and one number of processes a text, sizes in
// bytes of what one process sends. The first of its ranges that holds a size counts. The same reader in Python is
// src/ictus/programs/redirect/pgmpi.py.
#pragma once

#include "mockup/algorithm.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::redirect {

/// The choice for calls of these sizes.
struct PgmpiRange {
    std::string_view operation;
    int n;
    std::uint64_t from_bytes; ///< total volume, both ends included
    std::uint64_t to_bytes;
    const mockup::Algorithm* mockup; ///< null: the library's own choice
    int line;
};

struct PgmpiProfile {
    std::vector<PgmpiRange> ranges; ///< as they stand; they may overlap
    std::vector<std::string> remarks;
};

/// Whether this looks like one: its first line that is no comment is a name of MPI.
[[nodiscard]] bool is_pgmpi(std::string_view text);

/// Algorithms that we lack become the library's own choice, with a remark. Throws a usage Error that names file, line
/// and what is allowed.
[[nodiscard]] PgmpiProfile parse_pgmpi(std::string_view text, const std::string& name);

} // namespace ictus::redirect
