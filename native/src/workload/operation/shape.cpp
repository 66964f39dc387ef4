#include "workload/operation/shape.hpp"

#include <algorithm>
#include <cstring>

namespace ictus {
namespace {

/// Calls visit(position in memory, position in the message, bytes) for every run of every unit, in message order.
template <class Visit>
void for_each_run(const Shape& shape, std::size_t element_bytes, std::size_t memory_bytes, Visit visit) {
    const std::size_t unit_bytes = shape.extent * element_bytes;
    std::size_t in_message = 0;
    for (std::size_t unit = 0; unit + unit_bytes <= memory_bytes && unit_bytes > 0; unit += unit_bytes) {
        for (const Shape::Run& run : shape.runs) {
            visit(unit + run.first * element_bytes, in_message, run.n * element_bytes);
            in_message += run.n * element_bytes;
        }
    }
}

} // namespace

std::size_t Shape::n_elements() const {
    std::size_t n = 0;
    for (const Run& run : runs) {
        n += run.n;
    }
    return n;
}

bool Shape::is_dense() const {
    std::size_t next = 0;
    for (const Run& run : runs) {
        if (run.first != next) {
            return false;
        }
        next += run.n;
    }
    return next == extent;
}

void lay_out(const Shape& shape, std::size_t element_bytes, std::span<const std::byte> message,
             std::span<std::byte> memory) {
    for_each_run(shape, element_bytes, memory.size(), [&](std::size_t at, std::size_t from, std::size_t n) {
        std::memcpy(memory.data() + at, message.data() + from, n);
    });
}

std::vector<std::byte> message_in(const Shape& shape, std::size_t element_bytes, std::span<const std::byte> memory) {
    const std::size_t n_units = memory.size() / (shape.extent * element_bytes);
    std::vector<std::byte> message(n_units * shape.n_elements() * element_bytes);
    for_each_run(shape, element_bytes, memory.size(), [&](std::size_t at, std::size_t into, std::size_t n) {
        std::memcpy(message.data() + into, memory.data() + at, n);
    });
    return message;
}

std::optional<std::size_t> touched_gap_in(const Shape& shape, std::size_t element_bytes,
                                          std::span<const std::byte> memory, std::byte untouched) {
    const std::size_t unit_bytes = shape.extent * element_bytes;
    std::vector<bool> is_gap(unit_bytes, true);
    for (const Shape::Run& run : shape.runs) {
        std::fill_n(is_gap.begin() + static_cast<std::ptrdiff_t>(run.first * element_bytes), run.n * element_bytes,
                    false);
    }
    for (std::size_t at = 0; at < memory.size(); ++at) {
        if (is_gap[at % unit_bytes] && memory[at] != untouched) {
            return at;
        }
    }
    return std::nullopt;
}

} // namespace ictus
