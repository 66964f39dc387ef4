// `ictus-bench clocks STUDY --option value ...`.
#pragma once

#include "mpi/session.hpp"

#include <span>
#include <string>
#include <string_view>

namespace ictus::tool {

/// The text of `clocks --help` (`words` empty) or of `clocks STUDY --help`. Throws a usage Error.
[[nodiscard]] std::string study_help(std::span<const std::string_view> words);

/// Collective; `words` are those after `clocks`. Returns the exit code.
int run_study_command(const mpi::Session& session, std::span<const std::string_view> words);

} // namespace ictus::tool
