// Counts what the C++ heap of a test program holds, and for whom. It replaces the program's allocation functions, so
// exactly one file of a program includes it. Memory that is had otherwise, as by aligned_alloc, is not counted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace heap_count {

inline std::atomic<std::size_t> held_bytes{0};
inline std::atomic<std::size_t> peak_bytes{0};

/// What one of several in this program holds, whoever frees it. It outlives all that it pays for.
struct Account {
    std::size_t held_bytes = 0;
    std::size_t peak_bytes = 0;
};

/// Who pays for what this thread allocates; null: nobody of them.
inline thread_local Account* payer = nullptr;

/// Before each block, at the strictest alignment.
struct Header {
    std::size_t size_bytes;
    Account* payer;
};
inline constexpr std::size_t header_bytes = alignof(std::max_align_t);
static_assert(sizeof(Header) <= header_bytes);

inline void* take(std::size_t n) {
    auto* const block = static_cast<std::byte*>(std::malloc(n + header_bytes));
    if (block == nullptr) {
        return nullptr;
    }
    new (block) Header{n, payer};
    const std::size_t now = held_bytes += n;
    peak_bytes = std::max(peak_bytes.load(), now);
    if (payer != nullptr) {
        payer->held_bytes += n;
        payer->peak_bytes = std::max(payer->peak_bytes, payer->held_bytes);
    }
    return block + header_bytes;
}

inline void* take_or_throw(std::size_t n) {
    void* const p = take(n);
    return p != nullptr ? p : throw std::bad_alloc();
}

inline void give(void* p) noexcept {
    if (p != nullptr) {
        std::byte* const block = static_cast<std::byte*>(p) - header_bytes;
        const Header header = *reinterpret_cast<Header*>(block);
        held_bytes -= header.size_bytes;
        if (header.payer != nullptr) {
            header.payer->held_bytes -= header.size_bytes;
        }
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
