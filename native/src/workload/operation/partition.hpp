// So many whole things shared out by weights: the largest-remainder method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

/// Shares whose sum is exactly `total`, each the exact share rounded down or up; those with the largest remainders are
/// rounded up, of equal ones the first. Weights are at most 2^16, their number at most 2^23, one of them is positive.
[[nodiscard]] std::vector<std::uint64_t> apportion(std::uint64_t total, std::span<const std::uint32_t> weights);

// How a buffer is divided into blocks, and whether its counts and displacements fit an int. No MPI here.

/// Blocks one behind the other, each with its number of elements. Sums beyond 2^64 - 1 stay there: no buffer is so
/// large.
class Partition {
public:
    Partition() = default; ///< no blocks
    explicit Partition(std::vector<std::uint64_t> counts);
    [[nodiscard]] static Partition equal(int n_blocks, std::uint64_t count);
    /// `n_blocks` blocks that hold n_blocks * count elements in all, shared out by `weights`; no weights: equally.
    [[nodiscard]] static Partition weighted(int n_blocks, std::uint64_t count, std::span<const std::uint32_t> weights);
    /// Block b is this one's block (b - by) mod n.
    [[nodiscard]] Partition rotated(int by) const;

    [[nodiscard]] int n_blocks() const { return static_cast<int>(counts_.size()); }
    [[nodiscard]] std::uint64_t count(int block) const { return counts_[static_cast<std::size_t>(block)]; }
    /// The element with which a block begins.
    [[nodiscard]] std::uint64_t first(int block) const { return firsts_[static_cast<std::size_t>(block)]; }
    [[nodiscard]] std::uint64_t total() const { return firsts_.back(); }
    /// 2^64 - 1 where it is more.
    [[nodiscard]] std::uint64_t total_bytes(std::size_t element_bytes) const;
    [[nodiscard]] std::uint64_t largest_count() const;

private:
    std::vector<std::uint64_t> counts_;
    std::vector<std::uint64_t> firsts_{0}; ///< one more than blocks: the last is the end
};

/// Whether a call on this buffer needs MPI's large counts: a block is larger than 2^31 - 1 bytes or, where each block
/// has its displacement (`placed`), the buffer is. Elements and bytes alike, because libraries multiply them.
[[nodiscard]] bool needs_large_counts(const Partition& partition, std::size_t element_bytes, bool placed);

} // namespace ictus
