// The elements of a payload as integers, read from the bytes that it writes.
#pragma once

#include "workload/operation/payload.hpp"

#include <algorithm>
#include <vector>

namespace payload_test {

template <class T>
std::vector<std::int32_t> read_as(const ictus::Payload& payload, std::uint64_t seed, const ictus::BlockSource& source,
                                  std::size_t n) {
    std::vector<T> stored(n);
    payload.write(seed, source, std::as_writable_bytes(std::span(stored)));
    std::vector<std::int32_t> values(n);
    std::transform(stored.begin(), stored.end(), values.begin(), [](T one) { return static_cast<std::int32_t>(one); });
    return values;
}

/// The first `n` elements of `source`.
inline std::vector<std::int32_t> values_of(const ictus::Payload& payload, std::uint64_t seed,
                                           const ictus::BlockSource& source, std::size_t n) {
    const auto [kind, size_bytes] = payload.element();
    if (kind == ictus::ElementKind::byte) {
        return read_as<std::uint8_t>(payload, seed, source, n);
    }
    if (kind == ictus::ElementKind::floating) {
        return size_bytes == 8 ? read_as<double>(payload, seed, source, n) : read_as<float>(payload, seed, source, n);
    }
    return size_bytes == 1   ? read_as<std::int8_t>(payload, seed, source, n)
           : size_bytes == 8 ? read_as<std::int64_t>(payload, seed, source, n)
                             : read_as<std::int32_t>(payload, seed, source, n);
}

} // namespace payload_test
