#include "workload/operation/buffer.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <unistd.h>

namespace ictus {
namespace {

/// It differs between neighbouring bytes, so that a run of equal bytes never looks like a guard.
std::byte guard_byte(std::size_t distance) { return static_cast<std::byte>(0xC3 + 29 * distance); }

/// The largest sizes stay as they are; the allocation refuses them.
std::size_t whole_lines(std::size_t size_bytes) {
    constexpr std::size_t line = GuardedBuffer::line_bytes;
    return size_bytes > std::numeric_limits<std::size_t>::max() - line ? size_bytes
                                                                       : (size_bytes + line - 1) / line * line;
}

std::size_t slots(std::size_t slot_bytes, std::size_t area_bytes) {
    if (area_bytes == 0 || slot_bytes == 0) {
        return 1;
    }
    return std::max<std::size_t>(2, area_bytes / slot_bytes + (area_bytes % slot_bytes != 0 ? 1 : 0));
}

/// Near the golden section of the slots, so that consecutive slots are far apart in memory.
std::size_t far_stride(std::size_t n_slots) {
    constexpr double golden_section = 0.6180339887498949;
    auto stride = static_cast<std::size_t>(golden_section * static_cast<double>(n_slots));
    for (stride = std::max<std::size_t>(1, stride); std::gcd(stride, n_slots) != 1; ++stride) {
    }
    return stride;
}

} // namespace

GuardedBuffer::GuardedBuffer(std::size_t size_bytes, std::size_t area_bytes)
    : size_bytes_(size_bytes), slot_bytes_(whole_lines(size_bytes)), n_slots_(slots(slot_bytes_, area_bytes)),
      stride_(far_stride(n_slots_)) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() - 3 * page;
    const std::size_t all_bytes = n_slots_ == 1 ? size_bytes : n_slots_ * slot_bytes_;
    if (slot_bytes_ <= most / n_slots_) {
        const std::size_t n_pages = 1 + (all_bytes + guard_bytes + page - 1) / page; // the first: the guard before
        memory_.reset(static_cast<std::byte*>(std::aligned_alloc(page, n_pages * page)));
    }
    if (!memory_) {
        throw measurement_error("no memory for a buffer of " + std::to_string(size_bytes) + " bytes" +
                                (n_slots_ == 1 ? "" : " at " + std::to_string(n_slots_) + " places"));
    }
    first_ = data_ = memory_.get() + page;
    std::memset(first_, 0, all_bytes);
    raise_guards();
}

void GuardedBuffer::advance() {
    slot_ = (slot_ + stride_) % n_slots_;
    data_ = first_ + slot_ * slot_bytes_;
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

MessageBuffer::MessageBuffer(const Element& element, const Shape& shape, std::size_t size_bytes, std::size_t area_bytes)
    : element_bytes_(element.size_bytes), shape_(shape), is_dense_(shape.is_dense()),
      unit_bytes_(shape.extent * element.size_bytes), memory_(size_bytes, area_bytes) {}

void MessageBuffer::clear(std::byte filler) {
    filler_ = filler;
    std::ranges::fill(memory_.bytes(), filler);
    memory_.raise_guards();
}

void MessageBuffer::write(const Payload& payload, std::uint64_t seed, const BlockSource& block_source,
                          std::size_t first_unit, std::size_t n_units) {
    const auto memory = memory_.bytes().subspan(first_unit * unit_bytes_, n_units * unit_bytes_);
    if (is_dense_) {
        return payload.write(seed, block_source, memory);
    }
    std::vector<std::byte> message(n_units * shape_.n_elements() * element_bytes_);
    payload.write(seed, block_source, message);
    lay_out(shape_, element_bytes_, message, memory);
}

std::vector<std::byte> MessageBuffer::message(std::size_t first_unit, std::size_t n_units) const {
    const auto memory = memory_.bytes().subspan(first_unit * unit_bytes_, n_units * unit_bytes_);
    if (is_dense_) {
        return {memory.begin(), memory.end()};
    }
    return message_in(shape_, element_bytes_, memory);
}

std::optional<std::size_t> MessageBuffer::touched_gap() const {
    return is_dense_ ? std::nullopt : touched_gap_in(shape_, element_bytes_, memory_.bytes(), filler_);
}

} // namespace ictus
