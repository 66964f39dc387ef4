// The guards of a buffer see every byte written just outside of it, and nothing written inside.
#include "check.hpp"
#include "workload/operation/buffer.hpp"

#include <algorithm>

#include <unistd.h>

using ictus::GuardedBuffer;

TEST(buffers_begin_at_a_page_and_are_zero) {
    for (const std::size_t size : {0, 1, 4032, 4096, 100000}) {
        GuardedBuffer buffer(size);
        CHECK_EQ(0u,
                 reinterpret_cast<std::uintptr_t>(buffer.data()) % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)));
        CHECK_EQ(size, buffer.bytes().size());
        for (const std::byte b : buffer.bytes()) {
            CHECK(b == std::byte{0});
        }
    }
}

TEST(writing_inside_is_no_breach) {
    GuardedBuffer buffer(1000);
    std::ranges::fill(buffer.bytes(), std::byte{0xFF});
    CHECK(!buffer.breach());
}

TEST(every_guard_byte_is_watched) {
    for (const std::size_t size : {0, 1, 4096}) {
        for (std::size_t distance = 0; distance < GuardedBuffer::guard_bytes; ++distance) {
            for (const bool before : {true, false}) {
                GuardedBuffer buffer(size);
                std::byte& guard = before ? *(buffer.data() - 1 - distance) : *(buffer.data() + size + distance);
                guard ^= std::byte{1};
                CHECK(buffer.breach().has_value());
                CHECK_EQ(before, buffer.breach()->before);
                CHECK_EQ(distance, buffer.breach()->distance);
                CHECK(buffer.breach()->found == guard);
                buffer.raise_guards();
                CHECK(!buffer.breach());
            }
        }
    }
}

TEST(a_run_of_any_one_byte_over_the_guard_is_a_breach) {
    for (int value = 0; value < 256; ++value) {
        GuardedBuffer buffer(16);
        std::fill_n(buffer.data() + 16, 2, static_cast<std::byte>(value));
        CHECK(buffer.breach().has_value());
    }
}

TEST(a_buffer_beyond_memory_is_refused_with_its_size) {
    CHECK_THROWS(GuardedBuffer(~std::size_t{0}), "18446744073709551615 bytes");
}
