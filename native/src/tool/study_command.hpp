// `ictus-bench TOPIC STUDY --option value ...`.
#pragma once

#include "mpi/session.hpp"

#include <span>
#include <string>
#include <string_view>

namespace ictus::tool {

/// The text of `TOPIC --help` (`words` empty) or of `TOPIC STUDY --help`. Throws a usage Error.
[[nodiscard]] std::string study_help(std::string_view topic, std::span<const std::string_view> words);

/// What a study asks of the library before it is read: threads of our own need MPI_THREAD_MULTIPLE.
[[nodiscard]] mpi::Threads threads_of(std::string_view topic, std::span<const std::string_view> words);

/// Collective; `words` are those after the topic. Returns the exit code.
int run_study_command(const mpi::Session& session, std::string_view topic, std::span<const std::string_view> words);

} // namespace ictus::tool
