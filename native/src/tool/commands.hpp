// The commands of ictus-bench besides the measurement of a plan: each in a file of its own.
#pragma once

#include "mpi/session.hpp"

#include <span>
#include <string>
#include <string_view>

namespace ictus::tool {

// All registries and options as JSON: the one source for Python, help and docs.

/// file-format.md, describe.json.
[[nodiscard]] std::string describe();
/// Which operations the library of this build has, and which with large counts, as JSON.
[[nodiscard]] std::string availability();

// `ictus-bench dims --up-to P`: the factors that the library's MPI_Dims_create finds, for a comparison with the most
// balanced ones.

/// As JSON, for all numbers of processes from 1 to that of `words`, in two, three and four dimensions. Throws a usage
/// Error for other words.
[[nodiscard]] std::string dims(std::span<const std::string_view> words);

// `ictus-bench TOPIC STUDY --option value ...`.

/// The text of `TOPIC --help` (`words` empty) or of `TOPIC STUDY --help`. Throws a usage Error.
[[nodiscard]] std::string study_help(std::string_view topic, std::span<const std::string_view> words);

/// The thread level that a study needs, known before MPI_Init: threads of our own need MPI_THREAD_MULTIPLE.
[[nodiscard]] mpi::Threads threads_of(std::string_view topic, std::span<const std::string_view> words);

/// Collective; `words` are those after the topic. Returns the exit code.
int run_study_command(const mpi::Session& session, std::string_view topic, std::span<const std::string_view> words);

} // namespace ictus::tool
