// Counts what the C++ heap of a test program holds. It replaces the program's allocation functions, so exactly one file
// of a program includes it. Memory that is had otherwise, as by aligned_alloc, is not counted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace heap_count {

inline std::atomic<std::size_t> held_bytes{0};
inline std::atomic<std::size_t> peak_bytes{0};

/// A block carries its size before it, at the strictest alignment.
inline constexpr std::size_t header_bytes = alignof(std::max_align_t);

inline void* take(std::size_t n) {
    auto* const block = static_cast<std::byte*>(std::malloc(n + header_bytes));
    if (block == nullptr) {
        return nullptr;
    }
    *reinterpret_cast<std::size_t*>(block) = n;
    const std::size_t now = held_bytes += n;
    peak_bytes = std::max(peak_bytes.load(), now);
    return block + header_bytes;
}

inline void* take_or_throw(std::size_t n) {
    void* const p = take(n);
    return p != nullptr ? p : throw std::bad_alloc();
}

inline void give(void* p) noexcept {
    if (p != nullptr) {
        std::byte* const block = static_cast<std::byte*>(p) - header_bytes;
        held_bytes -= *reinterpret_cast<std::size_t*>(block);
        std::free(block);
    }
}

} // namespace heap_count

void* operator new(std::size_t n) { return heap_count::take_or_throw(n); }
void* operator new[](std::size_t n) { return heap_count::take_or_throw(n); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return heap_count::take(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return heap_count::take(n); }
void operator delete(void* p) noexcept { heap_count::give(p); }
void operator delete[](void* p) noexcept { heap_count::give(p); }
void operator delete(void* p, std::size_t) noexcept { heap_count::give(p); }
void operator delete[](void* p, std::size_t) noexcept { heap_count::give(p); }
