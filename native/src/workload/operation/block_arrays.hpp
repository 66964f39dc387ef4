// Blocks of different sizes as arguments for MPI: their counts and displacements, as arrays of ints or, in MPI 4's
// calls for large counts, of MPI_Count and MPI_Aint.
#pragma once

#include "workload/operation/partition.hpp"

#include <mpi.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace ictus::operation {

class BlockArrays {
public:
    /// An element has `per_element` displacement units: 1, or its size in bytes. They fit ints only where `large` is
    /// false.
    BlockArrays(const Partition& blocks, bool large, std::size_t per_element = 1) {
        if (large) {
            fill(blocks, per_element, large_counts_, large_places_);
        } else {
            fill(blocks, per_element, counts_, displacements_);
        }
    }

    template <class Count>
    [[nodiscard]] const Count* counts() const {
        if constexpr (std::is_same_v<Count, int>) {
            return counts_.data();
        } else {
            return large_counts_.data();
        }
    }
    template <class Count>
    [[nodiscard]] auto displacements() const {
        if constexpr (std::is_same_v<Count, int>) {
            return displacements_.data();
        } else {
            return large_places_.data();
        }
    }

private:
    template <class Count, class Displacement>
    static void fill(const Partition& blocks, std::size_t per_element, std::vector<Count>& counts,
                     std::vector<Displacement>& displacements) {
        const auto n = static_cast<std::size_t>(blocks.n_blocks());
        counts.reserve(std::max<std::size_t>(1, n)); // some libraries refuse a null pointer even without a block
        displacements.reserve(std::max<std::size_t>(1, n));
        for (int block = 0; block < blocks.n_blocks(); ++block) {
            counts.push_back(static_cast<Count>(blocks.count(block)));
            displacements.push_back(static_cast<Displacement>(blocks.first(block) * per_element));
        }
    }

    std::vector<int> counts_;
    std::vector<int> displacements_;
    std::vector<MPI_Count> large_counts_;
    std::vector<MPI_Aint> large_places_;
};

} // namespace ictus::operation
