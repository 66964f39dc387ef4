// Family torus: the grid, closed upon itself in every dimension, on which a sparse exchange places the ranks.
#pragma once

#include "base/registry.hpp"
#include "neighbourhood/torus.hpp"

namespace ictus {

/// Made for a number of ranks; throws a usage Error where they do not fill it.
using TorusMember = Member<Torus, int>;

namespace torus {
[[nodiscard]] const Registry<Torus, int>& registry();
[[nodiscard]] const FamilyInfo& family();

/// The lengths that a list parameter gives for `n_ranks`. `what` is named in errors.
[[nodiscard]] std::vector<int> given_lengths(const std::vector<Spec>& values, int n_ranks, const std::string& what);
} // namespace torus

} // namespace ictus
