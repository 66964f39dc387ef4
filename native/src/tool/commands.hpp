// The commands of ictus-bench besides the measurement of a plan: each in a file of its own.
#pragma once

#include "measure/plan.hpp"
#include "mpi/session.hpp"

#include <functional>
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

/// Collective: `body`, and what becomes of its failure. A mistake in the plan is reported by rank 0, and all ranks end
/// in order with the exit code that is returned; any other ends the launch. Both leave an error file in `folder`, if
/// any. After a `body` that returned, a rank that is ended says that it was in MPI_Finalize.
int run_to_end(const mpi::Session& session, const std::string& folder, const std::function<void()>& body);

// `ictus-bench TOPIC STUDY --option value ...`.

/// Whether there are studies of it.
[[nodiscard]] bool is_topic(std::string_view word);

/// The text of `TOPIC --help` (`words` empty) or of `TOPIC STUDY --help`. Throws a usage Error.
[[nodiscard]] std::string study_help(std::string_view topic, std::span<const std::string_view> words);

/// The thread level that a study needs, known before MPI_Init: threads of our own need MPI_THREAD_MULTIPLE. That of
/// wrong words is the least, for they are reported after it.
[[nodiscard]] mpi::Threads threads_of(std::string_view topic, std::span<const std::string_view> words);

/// Collective; `words` are those after the topic. Returns the exit code.
int run_study_command(const mpi::Session& session, std::string_view topic, std::span<const std::string_view> words);

/// Collective: page_faults.json in the plan's folder, or on standard output without one.
void count_faults(const mpi::Session& session, const LaunchPlan& plan);

} // namespace ictus::tool
