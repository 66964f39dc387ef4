// A tree over ranks 0..size-1 in which every edge can be measured in each sweep, many of them at once: each rank serves
// up to `arity` others, the subtree of each is a run of consecutive ranks (so neighbours stay neighbours), and the
// edges are coloured so that no rank has two of one colour. A colour is a slot of the sweep.
#pragma once

#include "clockmath/rounds.hpp"

#include <optional>
#include <vector>

namespace ictus {

/// One entry a slot, at most arity + 1 of them; empty where the rank has nothing to do. arity >= 1. A rank is a client
/// at most once; rank 0 never is.
[[nodiscard]] std::vector<std::optional<Meeting>> tree_slots(int size, int rank, int arity);

} // namespace ictus
