// The environment variables that change what an MPI library or a launcher does.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::record {

using EnvironmentEntries = std::vector<std::pair<std::string, std::string>>;

/// Whether a variable of this name belongs into the record: by prefix (OMPI_, UCX_, ...) or by name (LD_PRELOAD,
/// LD_LIBRARY_PATH).
[[nodiscard]] bool environment_matters(std::string_view name);

/// The entries of a null-terminated list of "NAME=value" that matter, sorted by name. Of a name that occurs twice the
/// first counts, as it does for getenv.
[[nodiscard]] EnvironmentEntries select_environment(const char* const* entries);

/// The same for this process.
[[nodiscard]] EnvironmentEntries read_environment();

} // namespace ictus::record
