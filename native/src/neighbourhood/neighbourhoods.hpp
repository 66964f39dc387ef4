// Family neighbourhood: whom every rank of a torus exchanges blocks with, as relative coordinates, the same for all.
#pragma once

#include "base/registry.hpp"
#include "neighbourhood/isomorphic.hpp"

namespace ictus {

/// Made for a number of dimensions.
using NeighbourhoodMember = Member<Neighbourhood, int>;

namespace neighbourhood {
[[nodiscard]] const Registry<Neighbourhood, int>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace neighbourhood

} // namespace ictus
