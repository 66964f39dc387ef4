// Divides a whole number by weights: the largest-remainder method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ictus {

/// Shares with the exact sum `total`, each rounded down or up. The shares with the largest remainders are rounded up,
/// the first ones of equal remainders. Weights are at most 2^16, their number at most 2^23, and one is positive.
[[nodiscard]] std::vector<std::uint64_t> apportion(std::uint64_t total, std::span<const std::uint32_t> weights);

// The blocks of a buffer, and whether their counts and displacements fit an int. No MPI here.

/// Consecutive blocks, each with its number of elements. Sums saturate at 2^64 - 1, which no buffer reaches. Blocks of
/// one size are computed; only blocks of different sizes are stored, 16 bytes each.
class Partition {
public:
    Partition() = default; ///< no blocks
    explicit Partition(std::vector<std::uint64_t> counts);
    [[nodiscard]] static Partition equal(int n_blocks, std::uint64_t count);
    /// `n_blocks` blocks that hold n_blocks * count elements in all, divided by `weights`; without weights equally.
    [[nodiscard]] static Partition weighted(int n_blocks, std::uint64_t count, std::span<const std::uint32_t> weights);
    /// The partition whose block b is block (b - by) mod n of this one.
    [[nodiscard]] Partition rotated(int by) const;

    /// The first element of a block of rotated(by), 0 <= by < n, which need not be made.
    [[nodiscard]] std::uint64_t first_rotated(int by, int block) const;

    [[nodiscard]] int n_blocks() const { return n_blocks_; }
    [[nodiscard]] std::uint64_t count(int block) const {
        return counts_.empty() ? each_ : counts_[static_cast<std::size_t>(block)];
    }
    /// The first element of a block; of n_blocks(), the end.
    [[nodiscard]] std::uint64_t first(int block) const;
    [[nodiscard]] std::uint64_t total() const { return first(n_blocks_); }
    /// At most 2^64 - 1.
    [[nodiscard]] std::uint64_t total_bytes(std::size_t element_bytes) const;
    [[nodiscard]] std::uint64_t largest_count() const;

private:
    int n_blocks_ = 0;
    std::uint64_t each_ = 0;            ///< elements of each block, where all have one size
    std::vector<std::uint64_t> counts_; ///< empty where all have one size
    std::vector<std::uint64_t> firsts_; ///< the same; the first element of each block, and the end of the last
};

/// Whether a call on this buffer needs MPI's large counts: a block has more than 2^31 - 1 elements or, where blocks
/// have displacements, these may be larger. An element has `place_units` displacement units: 1, or its size in bytes; 0
/// where the call takes no displacements. A message of more bytes whose elements fit is legal without them.
[[nodiscard]] bool needs_large_counts(const Partition& partition, std::size_t place_units);

} // namespace ictus
