// The C library's treatment of freed memory, the same in every launch.
#pragma once

#include <optional>

namespace ictus {

/// Makes this process keep the memory that it frees, as glibc does after a program has freed its first large block.
/// Before that, a library with a temporary buffer in each call may return it to the system each time, and pays for its
/// pages again. Whether it does depends on the memory behind the buffer, and so on the cases that were measured before.
/// Returns whether memory is kept now: not where a variable of the C library (MALLOC_TRIM_THRESHOLD_,
/// MALLOC_MMAP_THRESHOLD_, glibc.malloc.*) forbids it; empty where the C library cannot be queried, or ranks are
/// simulated.
[[nodiscard]] std::optional<bool> keep_freed_memory();

} // namespace ictus
