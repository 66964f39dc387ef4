// The cache size that the cold modes go by.
#pragma once

#include "workload/cache/cache.hpp"

namespace ictus::cache {

inline constexpr Parameter size_parameter = {
    .name = "size",
    .type = Parameter::Type::size,
    .default_value = "auto",
    .help = "of the cache that is to be cold; auto: the last one that a core has for itself, as the system tells",
    .minimum = 64,
    .maximum = 1ULL << 40,
    .allows_auto = true};

/// The size in force. Throws a usage Error where the system does not tell it and the user does not either.
[[nodiscard]] std::uint64_t size_of(const Bound& bound, const CachePlace& place);

} // namespace ictus::cache
