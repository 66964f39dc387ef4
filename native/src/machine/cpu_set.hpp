// Sets of CPUs: how the kernel writes them, and which of them a process may use.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ictus::machine {

/// The set in the kernel's form, "0-3,8". `cpus` must be ascending; the empty set gives the empty text.
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& cpus);
/// Absent if the text is no list of this form.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// The CPUs that the calling thread may run on, ascending: the pinning in force, whatever the launcher was asked for.
/// Absent if the system does not report it.
[[nodiscard]] std::optional<std::vector<int>> allowed_cpus();
/// The same by what `read` says, as sched_getaffinity does: 0, or -1 and EINVAL in errno where the mask is smaller than
/// the kernel's. The 1024 CPUs of cpu_set_t are too few on the largest machines.
using AffinityReader = std::function<int(std::size_t bytes, unsigned long* mask)>;
[[nodiscard]] std::optional<std::vector<int>> allowed_cpus(const AffinityReader& read);
/// The CPU that the calling thread is on at this moment.
[[nodiscard]] std::optional<int> current_cpu();

} // namespace ictus::machine
