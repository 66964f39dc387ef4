// The C library's treatment of freed memory: it belongs to the whole process, and is chosen before MPI_Init.
#pragma once

#include <optional>
#include <string_view>

namespace ictus {

/// What becomes of memory that the process frees.
enum class Heap {
    kept,     ///< it stays with the process, as in glibc after a program has freed its first large block
    returned, ///< large blocks go back to the system at each free, as in glibc before that
    ordinary, ///< as the C library comes: it begins like `returned`, and each large block that is freed changes it
};

/// The words of option `heap`.
inline constexpr const char* heap_names = "kept returned ordinary";

/// Throws a usage Error for any other word.
[[nodiscard]] Heap parse_heap(std::string_view name);

/// Brings this process into a state, before anything but the C library has allocated. A library with a temporary buffer
/// in each call pays for the buffer's pages once where freed memory is kept, and in each call where it is returned. A
/// variable that the user set (MALLOC_TRIM_THRESHOLD_, MALLOC_MMAP_THRESHOLD_, MALLOC_TOP_PAD_, glibc.malloc.*) is left
/// in force.
void set_heap(Heap heap);

/// Whether memory is kept now, found by taking a large block and freeing it; empty where the C library cannot be
/// queried, or ranks are simulated, and in state `ordinary`, which the question would change.
[[nodiscard]] std::optional<bool> keeps_freed_memory();

} // namespace ictus
