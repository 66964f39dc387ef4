#include "workload/operation/apportionment.hpp"

#include <algorithm>
#include <numeric>

namespace ictus {

std::vector<std::uint64_t> apportion(std::uint64_t total, std::span<const std::uint32_t> weights) {
    const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    // total * w / all without a product that overflows: whole turns of `all`, and the rest, which is below it.
    const std::uint64_t turns = total / all;
    const std::uint64_t rest = total % all;
    std::vector<std::uint64_t> shares;
    std::vector<std::uint64_t> remainders;
    shares.reserve(weights.size());
    remainders.reserve(weights.size());
    for (const std::uint64_t weight : weights) {
        shares.push_back(turns * weight + rest * weight / all);
        remainders.push_back(rest * weight % all);
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
    const std::uint64_t given = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
    for (std::size_t i = 0; i < total - given; ++i) {
        ++shares[order[i]];
    }
    return shares;
}

} // namespace ictus
