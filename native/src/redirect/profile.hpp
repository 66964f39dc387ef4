// Shared by the readers of both forms of a profile: lines, words, and the mock-ups that they may name.
#pragma once

#include "mockup/algorithm.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::redirect {

[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::string quoted(std::string_view text);
/// The first `most` of them.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line, std::size_t most);

/// The mock-ups that may replace `operation`; all of them where it is empty.
[[nodiscard]] std::vector<const mockup::Algorithm*> substitutes(std::string_view operation);
/// Each once, sorted, separated by commas.
[[nodiscard]] std::string listed(const std::vector<const mockup::Algorithm*>& algorithms,
                                 std::string_view mockup::Algorithm::* what);

// The profile: which call becomes which mock-up (redirect.md). Knows no MPI calls: text in, lines out. The same
// readers in Python are src/ictus/programs/redirect/profile.py and profiles.py.

/// A plug-in's operation that lines may name: `plugin NAME STANDS_FOR SHA256 PATH`.
struct PluginLine {
    std::string name;
    std::string_view operation; ///< that it stands for
    std::string sha256;         ///< of its library
    std::string path;           ///< where it was, for messages alone: a profile does not choose what is loaded
};

/// One line.
struct Reroute {
    std::string_view operation;
    std::string substitute;          ///< a mock-up, or an operation of a plug-in with its parameters
    const mockup::Algorithm* mockup; ///< null: of a plug-in
    std::size_t plugin;              ///< which of the profile's, where it is one's
    int n;                           ///< processes of the communicator
    std::uint64_t from_bytes;        ///< total volume, both ends included
    std::uint64_t to_bytes;
    int line; ///< of the file, from 1
};

struct Profile {
    std::string library; ///< that it was measured on; empty: not known
    std::vector<PluginLine> plugins;
    std::vector<Reroute> reroutes; ///< that do not overlap
    std::vector<std::string> remarks;
};

/// A file.
struct ProfileText {
    std::string name; ///< for messages
    std::string text;
};

/// Files of our form or PGMPITuneLib's (pgmpi.hpp), in their order. Throws a usage Error that names file, line and what
/// is allowed.
[[nodiscard]] Profile parse_profiles(const std::vector<ProfileText>& sources);

} // namespace ictus::redirect
