// What grows with cases, blocks, ranks or hosts: the small arrays beside launch.json (file-format.md). What does
// not exist is NaN, -1 or an empty text.
#pragma once

#include "record/launch_json.hpp"
#include "record/structured_array.hpp"

namespace ictus::record {

/// cases.npy, in measuring order.
[[nodiscard]] StructuredArray case_array(const LaunchRecord& launch);
/// blocks.npy
[[nodiscard]] StructuredArray block_array(const LaunchRecord& launch);
/// ranks.npy
[[nodiscard]] StructuredArray rank_array(const LaunchRecord& launch);
/// hosts.npy
[[nodiscard]] StructuredArray host_array(const LaunchRecord& launch);

} // namespace ictus::record
