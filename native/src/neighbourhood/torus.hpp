// A grid of ranks that closes upon itself, in every dimension or in those that are periodic, and the steps that are
// taken on it. Rank numbers grow fastest in the last dimension, as in MPI's Cartesian communicators.
#pragma once

#include "base/registry.hpp"

#include <span>
#include <vector>

namespace ictus {

/// Steps along each dimension; negative ones go back.
using GridOffset = std::vector<int>;

/// The lengths of a grid of `n_ranks` in `dimensions` dimensions that are as near to each other as they can be, longest
/// first: the smallest difference between the first and the last, then the smallest first one.
/// Both arguments are at least 1. MPI_Dims_create promises the same and does not keep it in every library (Traeff and
/// Luebbe 2015).
[[nodiscard]] std::vector<int> balanced_lengths(int n_ranks, int dimensions);

class Torus {
public:
    static constexpr int outside = -1; ///< instead of a rank: the steps lead over the end of an open dimension

    /// Throws a usage Error for a length below 1.
    explicit Torus(std::vector<int> lengths);
    /// The same with dimensions that end: an open mesh, where none is periodic.
    Torus(std::vector<int> lengths, std::vector<bool> periodic);

    [[nodiscard]] std::span<const int> lengths() const { return lengths_; }
    [[nodiscard]] std::size_t dimensions() const { return lengths_.size(); }
    [[nodiscard]] bool is_periodic(std::size_t dimension) const { return periodic_[dimension]; }
    /// The rank that is reached from `rank` by `offset`, or by the way back; perhaps `outside`.
    [[nodiscard]] int after(int rank, std::span<const int> offset) const { return moved(rank, offset, 1); }
    [[nodiscard]] int before(int rank, std::span<const int> offset) const { return moved(rank, offset, -1); }

private:
    [[nodiscard]] int moved(int rank, std::span<const int> offset, int direction) const;

    std::vector<int> lengths_;
    std::vector<bool> periodic_;
};

// Family torus: the grid, closed upon itself in every dimension, on which a sparse exchange places the ranks.

/// Made for a number of ranks; throws a usage Error where they do not fill it.
using TorusMember = Member<Torus, int>;

namespace torus {

[[nodiscard]] const Registry<Torus, int>& registry();
[[nodiscard]] const FamilyInfo& family();

/// The lengths that a list parameter gives for `n_ranks`. `what` is named in errors.
[[nodiscard]] std::vector<int> given_lengths(const std::vector<Spec>& values, int n_ranks, const std::string& what);

} // namespace torus

} // namespace ictus
