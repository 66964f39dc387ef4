// Pages that processes of a host share; this process opens its own a second time, as another would.
#include "check.hpp"
#include "machine/shared_pages.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using ictus::machine::SharedPages;

namespace {

constexpr std::size_t size_bytes = 100'000;

SharedPages made() {
    std::optional<SharedPages> pages = SharedPages::create(size_bytes);
    CHECK(pages.has_value());
    return std::move(*pages);
}

/// Whether the kernel may store to it for this process.
bool is_writable(std::byte* byte) {
    const int zeros = ::open("/dev/zero", O_RDONLY);
    const bool stored = ::read(zeros, byte, 1) == 1;
    CHECK(stored || errno == EFAULT);
    ::close(zeros);
    return stored;
}

} // namespace

TEST(pages_are_zero_one_memory_and_found_until_they_are_closed) {
    SharedPages own = made();
    CHECK_EQ(size_bytes, own.size_bytes());
    CHECK(std::all_of(own.data(), own.data() + size_bytes, [](std::byte one) { return one == std::byte{0}; }));
    const SharedPages::Place place = own.place();
    std::optional<SharedPages> other = SharedPages::open(place, size_bytes);
    CHECK(other.has_value() && other->data() != own.data());
    own.data()[size_bytes - 1] = std::byte{7};
    CHECK(other->data()[size_bytes - 1] == std::byte{7});
    own.close();
    CHECK(!SharedPages::open(place, size_bytes).has_value());
    CHECK(!SharedPages::open({place.process, place.file, place.number + 1}, size_bytes).has_value());
}

TEST(protected_pages_are_read_and_no_longer_written_by_this_process) {
    SharedPages own = made();
    const std::optional<SharedPages> other = SharedPages::open(own.place(), size_bytes);
    CHECK(is_writable(own.data()));
    own.protect();
    CHECK(!is_writable(own.data()));
    CHECK(is_writable(other->data()));
    other->data()[3] = std::byte{9};
    CHECK(own.data()[3] == std::byte{9});
}

TEST(pages_that_the_system_refuses_are_absent) {
    CHECK(!SharedPages::create(0).has_value()); // a size that it takes could fill the machine's memory
}
