// What a launch records of its surroundings: environment variables, the time of day, how the core was built.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ictus::record {

/// The environment variables that change what an MPI library or a launcher does.
using EnvironmentEntries = std::vector<std::pair<std::string, std::string>>;

/// Whether a variable of this name is recorded: by prefix (OMPI_, UCX_, ...) or by name (LD_PRELOAD, LD_LIBRARY_PATH).
[[nodiscard]] bool environment_matters(std::string_view name);

/// The recorded entries of a null-terminated list of "NAME=value", sorted by name. Where a name occurs twice, the first
/// entry counts, as for getenv.
[[nodiscard]] EnvironmentEntries select_environment(const char* const* entries);

/// The same for this process.
[[nodiscard]] EnvironmentEntries read_environment();

/// ISO 8601 with milliseconds and zone, "2025-03-01T12:00:00.250+01:00", from milliseconds since 1970 (UTC) and the
/// zone's offset.
[[nodiscard]] std::string format_iso8601(std::int64_t unix_ms, int utc_offset_s);
/// The present time in the zone of the machine.
[[nodiscard]] std::string now_iso8601();
/// Seconds since 1970 (UTC).
[[nodiscard]] double unix_time_s();

/// How this core was built.
/// A fact that the build did not pass is "unknown".
struct BuildFacts {
    std::string version; ///< of Ictus
    std::string compiler;
    std::string flags;
    std::string build_type;
    std::string source_hash;
};

[[nodiscard]] BuildFacts build_facts();

} // namespace ictus::record
