// The time of day, for the record only: nothing is measured with it.
#pragma once

#include <cstdint>
#include <string>

namespace ictus::record {

/// ISO 8601 with milliseconds and zone, "2025-03-01T12:00:00.250+01:00", from milliseconds since 1970 (UTC) and the
/// zone's offset.
[[nodiscard]] std::string format_iso8601(std::int64_t unix_ms, int utc_offset_s);
/// This moment in the zone of the machine.
[[nodiscard]] std::string now_iso8601();
/// Seconds since 1970 (UTC).
[[nodiscard]] double unix_time_s();

} // namespace ictus::record
