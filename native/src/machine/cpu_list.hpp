// The kernel's way of writing sets of CPUs: "0-3,8".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::record {

/// `cpus` must be ascending; an empty set is the empty text.
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& cpus);
/// Absent if the text is no list of this form.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

} // namespace ictus::record
