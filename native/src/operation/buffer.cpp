#include "operation/buffer.hpp"

#include "core/error.hpp"

#include <cstring>
#include <limits>
#include <string>

#include <unistd.h>

namespace ictus {
namespace {

/// Differs from one distance to the next, so that a run of equal bytes written over a guard never passes for it.
std::byte guard_byte(std::size_t distance) { return static_cast<std::byte>(0xC3 + 29 * distance); }

} // namespace

GuardedBuffer::GuardedBuffer(std::size_t size_bytes) : size_bytes_(size_bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (size_bytes <= std::numeric_limits<std::ptrdiff_t>::max() - 3 * page) {
        const std::size_t n_pages = 1 + (size_bytes + guard_bytes + page - 1) / page; // the first: the guard before
        memory_.reset(static_cast<std::byte*>(std::aligned_alloc(page, n_pages * page)));
    }
    if (!memory_) {
        throw measurement_error("no memory for a buffer of " + std::to_string(size_bytes) + " bytes");
    }
    data_ = memory_.get() + page;
    std::memset(data_, 0, size_bytes);
    raise_guards();
}

void GuardedBuffer::raise_guards() {
    for (std::size_t i = 0; i < guard_bytes; ++i) {
        *(data_ - 1 - i) = guard_byte(i);
        *(data_ + size_bytes_ + i) = guard_byte(i);
    }
}

std::optional<Breach> GuardedBuffer::breach() const {
    for (std::size_t i = 0; i < guard_bytes; ++i) {
        const std::byte before = *(data_ - 1 - i);
        const std::byte behind = *(data_ + size_bytes_ + i);
        if (before != guard_byte(i)) {
            return Breach{true, i, guard_byte(i), before};
        }
        if (behind != guard_byte(i)) {
            return Breach{false, i, guard_byte(i), behind};
        }
    }
    return std::nullopt;
}

} // namespace ictus
