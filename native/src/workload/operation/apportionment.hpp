// So many whole things shared out by weights: the largest-remainder method.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

/// Shares whose sum is exactly `total`, each the exact share rounded down or up; those with the largest remainders are
/// rounded up, of equal ones the first. Weights are at most 2^16, their number at most 2^23, one of them is positive.
[[nodiscard]] std::vector<std::uint64_t> apportion(std::uint64_t total, std::span<const std::uint32_t> weights);

} // namespace ictus
