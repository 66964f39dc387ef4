#include "workload/heap.hpp"

#include <cstddef>
#include <cstdlib>

// SMPI replaces malloc by macros in front of every header: the C library cannot be queried there.
#if defined(__GLIBC__) && !defined(ICTUS_SIMULATED)
#define ICTUS_ASKS_GLIBC 1
#include <malloc.h>
#endif

namespace ictus {

#if defined(ICTUS_ASKS_GLIBC)

namespace {

/// A block that is mapped by itself, for it is larger than any limit but the largest (mallopt(3): 32 MiB where a long
/// has 8 bytes), with room for its header and pages of 64 KiB. None of its pages is touched.
constexpr std::size_t mapped_block = std::size_t{4} * 1024 * 1024 * sizeof(long) - 128 * 1024;

void take_and_free(std::size_t bytes) {
    void* volatile block = std::malloc(bytes); // volatile: a compiler may leave out an allocation that nobody uses
    std::free(block);
}

/// Whether a block is mapped by itself although a larger one was freed; empty where glibc is too old to tell.
std::optional<bool> is_mapped([[maybe_unused]] std::size_t bytes) {
#if __GLIBC__ > 2 || __GLIBC_MINOR__ >= 33
    const std::size_t before = mallinfo2().hblks;
    void* volatile block = std::malloc(bytes);
    const bool mapped = mallinfo2().hblks > before;
    std::free(block);
    return mapped;
#else
    return std::nullopt;
#endif
}

} // namespace

std::optional<bool> keep_freed_memory() {
    take_and_free(mapped_block);
    const std::optional<bool> mapped = is_mapped(mapped_block / 2);
    return mapped ? std::optional(!*mapped) : std::nullopt;
}

#else

std::optional<bool> keep_freed_memory() { return std::nullopt; }

#endif

} // namespace ictus
