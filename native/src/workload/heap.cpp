#include "workload/heap.hpp"

#include "base/error.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>

// SMPI replaces malloc by macros in front of every header: the C library cannot be queried there.
#if defined(__GLIBC__) && !defined(ICTUS_SIMULATED)
#define ICTUS_ASKS_GLIBC 1
#include <malloc.h>
#endif

namespace ictus {

Heap parse_heap(std::string_view name) {
    if (name == "returned") {
        return Heap::returned;
    }
    if (name == "ordinary") {
        return Heap::ordinary;
    }
    if (name != "kept") {
        throw usage_error("option 'heap': '" + std::string(name) + "' is unknown; known: kept, returned, ordinary");
    }
    return Heap::kept;
}

namespace {

/// The state of the process. A process has one heap, so it has one state.
Heap& state() {
    static Heap chosen = Heap::ordinary;
    return chosen;
}

} // namespace

#if defined(ICTUS_ASKS_GLIBC)

namespace {

/// A block that is mapped by itself, for it is larger than any limit but the largest (mallopt(3): 32 MiB where a long
/// has 8 bytes), with room for its header and pages of 64 KiB. None of its pages is touched.
constexpr std::size_t mapped_block = std::size_t{4} * 1024 * 1024 * sizeof(long) - 128 * 1024;

/// The limits with which glibc begins (mallopt(3)): what a program has that never freed a large block.
constexpr int initial_limit = 128 * 1024;

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

/// Sets a limit, unless the user has: a limit that is set does not move any more.
void hold(int limit, const char* variable, const char* tunable) {
    const char* const tunables = std::getenv("GLIBC_TUNABLES");
    const bool is_tuned = tunables != nullptr && std::string_view(tunables).find(tunable) != std::string_view::npos;
    if (std::getenv(variable) == nullptr && !is_tuned) {
        mallopt(limit, initial_limit);
    }
}

} // namespace

void set_heap(Heap heap) {
    state() = heap;
    if (heap == Heap::kept) {
        take_and_free(mapped_block);
    } else if (heap == Heap::returned) {
        hold(M_MMAP_THRESHOLD, "MALLOC_MMAP_THRESHOLD_", "glibc.malloc.mmap_threshold");
        hold(M_TRIM_THRESHOLD, "MALLOC_TRIM_THRESHOLD_", "glibc.malloc.trim_threshold");
        hold(M_TOP_PAD, "MALLOC_TOP_PAD_", "glibc.malloc.top_pad");
    }
}

std::optional<bool> keeps_freed_memory() {
    const std::optional<bool> mapped = state() == Heap::ordinary ? std::nullopt : is_mapped(mapped_block / 2);
    return mapped ? std::optional(!*mapped) : std::nullopt;
}

#else

void set_heap(Heap heap) { state() = heap; }

std::optional<bool> keeps_freed_memory() { return std::nullopt; }

#endif

} // namespace ictus
