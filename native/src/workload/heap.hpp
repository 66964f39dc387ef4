// What the C library does with memory that is given back, the same in every launch.
#pragma once

#include <optional>

namespace ictus {

/// Makes this process keep the memory that it frees, as glibc does by itself from the first large block on that a
/// program frees. Until then a library that takes a temporary buffer in each call may hand it back to the system each
/// time, and pays for its pages again; whether it does, depends on what lies behind it in memory, so on which cases
/// were measured before. Returns whether memory is kept now: not where a variable of the C library
/// (MALLOC_TRIM_THRESHOLD_, MALLOC_MMAP_THRESHOLD_, glibc.malloc.*) says otherwise; empty where the C library cannot be
/// asked, or ranks are simulated.
[[nodiscard]] std::optional<bool> keep_freed_memory();

} // namespace ictus
