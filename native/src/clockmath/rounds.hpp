// Which ranks measure against each other, round by round. Arithmetic on ranks only: every group algorithm can be
// checked on paper.
#pragma once

#include <optional>
#include <vector>

namespace ictus {

/// In a measurement of clock offsets the reference answers with its time, and the client learns.
enum class Role { reference, client };

/// One rank's part in one round.
struct Meeting {
    int peer = 0;
    Role role = Role::reference;
    friend bool operator==(const Meeting&, const Meeting&) = default;
};

/// The largest power of two that is at most n; n >= 1.
[[nodiscard]] int floor_power_of_two(int n);

/// HCA3's tree from the root down, largest stride first: a rank that is a multiple of 2 stride serves the rank one
/// stride above it, which has not served anyone yet. Ranks from the largest power of two P on then learn from rank - P
/// in one more round. ceil(log2 size) rounds; in a round with an empty entry the rank does nothing.
[[nodiscard]] std::vector<std::optional<Meeting>> rounds_from_root(int size, int rank);

/// Netgauge's tree from the leaves up, smallest stride first: a rank that is a multiple of 2 stride serves the rank one
/// stride above it, which has by then served the stride - 1 ranks between it and the next multiple. Ranks from the
/// largest power of two P on learn from rank - P in one more round, as above. ceil(log2 size) rounds.
[[nodiscard]] std::vector<std::optional<Meeting>> rounds_to_root(int size, int rank);

// A tree over ranks 0..size-1 in which every edge can be measured in each sweep, many of them at once: each rank serves
// up to `arity` others, the subtree of each is a run of consecutive ranks (so neighbours stay neighbours), and the
// edges are coloured so that no rank has two of one colour. A colour is a slot of the sweep.

/// One entry a slot, at most arity + 1 of them; empty where the rank has nothing to do. arity >= 1. A rank is a client
/// at most once; rank 0 never is.
[[nodiscard]] std::vector<std::optional<Meeting>> tree_slots(int size, int rank, int arity);

} // namespace ictus
