#include "workload/operation/message_buffer.hpp"

#include <algorithm>

namespace ictus {

MessageBuffer::MessageBuffer(const Element& element, const Shape& shape, std::size_t size_bytes, std::size_t area_bytes)
    : element_bytes_(element.size_bytes), shape_(shape), is_dense_(shape.is_dense()),
      unit_bytes_(shape.extent * element.size_bytes), memory_(size_bytes, area_bytes) {}

void MessageBuffer::clear(std::byte filler) {
    filler_ = filler;
    std::ranges::fill(memory_.bytes(), filler);
    memory_.raise_guards();
}

void MessageBuffer::write(const Payload& payload, std::uint64_t seed, const Origin& origin, std::size_t first_unit,
                          std::size_t n_units) {
    const auto memory = memory_.bytes().subspan(first_unit * unit_bytes_, n_units * unit_bytes_);
    if (is_dense_) {
        return payload.write(seed, origin, memory);
    }
    std::vector<std::byte> message(n_units * shape_.n_elements() * element_bytes_);
    payload.write(seed, origin, message);
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
