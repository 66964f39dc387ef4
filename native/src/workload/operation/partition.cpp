#include "workload/operation/partition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ictus {

std::vector<std::uint64_t> apportion(std::uint64_t total, std::span<const std::uint32_t> weights) {
    const std::uint64_t all = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    // total * w / all without a product that overflows: the multiples of `all`, and the rest, which is smaller.
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

namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t largest_int = std::numeric_limits<std::int32_t>::max();

std::uint64_t bounded_sum(std::uint64_t a, std::uint64_t b) { return a > most - b ? most : a + b; }
std::uint64_t bounded_product(std::uint64_t a, std::uint64_t b) { return b != 0 && a > most / b ? most : a * b; }

} // namespace

Partition::Partition(std::vector<std::uint64_t> counts)
    : n_blocks_(static_cast<int>(counts.size())), counts_(std::move(counts)) {
    firsts_.reserve(counts_.size() + 1);
    firsts_.push_back(0);
    for (const std::uint64_t count : counts_) {
        firsts_.push_back(bounded_sum(firsts_.back(), count));
    }
}

Partition Partition::equal(int n_blocks, std::uint64_t count) {
    Partition blocks;
    blocks.n_blocks_ = n_blocks;
    blocks.each_ = count;
    return blocks;
}

Partition Partition::weighted(int n_blocks, std::uint64_t count, std::span<const std::uint32_t> weights) {
    if (weights.empty()) {
        return equal(n_blocks, count);
    }
    return Partition(apportion(bounded_product(count, static_cast<std::uint64_t>(n_blocks)), weights));
}

Partition Partition::rotated(int by) const {
    if (counts_.empty()) {
        return *this;
    }
    const int n = n_blocks();
    std::vector<std::uint64_t> counts;
    counts.reserve(counts_.size());
    for (int block = 0; block < n; ++block) {
        counts.push_back(count(((block - by) % n + n) % n));
    }
    return Partition(std::move(counts));
}

std::uint64_t Partition::first(int block) const {
    return firsts_.empty() ? bounded_product(static_cast<std::uint64_t>(block), each_)
                           : firsts_[static_cast<std::size_t>(block)];
}

std::uint64_t Partition::first_rotated(int by, int block) const {
    const int begin = n_blocks_ - by; // of the rotated blocks, the first one is this one of these
    return begin + block <= n_blocks_ ? first(begin + block) - first(begin)
                                      : total() - first(begin) + first(begin + block - n_blocks_);
}

std::uint64_t Partition::total_bytes(std::size_t element_bytes) const {
    return bounded_product(total(), element_bytes);
}

std::uint64_t Partition::largest_count() const {
    return n_blocks_ == 0 ? 0 : counts_.empty() ? each_ : *std::max_element(counts_.begin(), counts_.end());
}

bool needs_large_counts(const Partition& partition, std::size_t place_units) {
    return std::max(partition.largest_count(), bounded_product(partition.total(), place_units)) > largest_int;
}

} // namespace ictus
