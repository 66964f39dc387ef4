// How a start at one instant of the global clock is agreed on: the root, rank 0, says when. What all members that start
// so share.
#pragma once

#include "procsync/procsync.hpp"

#include <string_view>

namespace ictus::procsync {

/// Throws a usage Error that names the member where there is no global time to start by.
void require_global_time(const SyncPlace& place, std::string_view member);

/// Collective. How long an announcement takes from the root's clock reading to a rank that has it: the median over a
/// few probes, the largest of all ranks, seconds.
[[nodiscard]] double broadcast_latency(const SyncPlace& place);

/// Collective: returns at the root, some time after all ranks have come here. A root that did not wait could run ahead
/// of a stalled rank and announce one lost start after the other.
void gather_at_root(Transport& transport);

/// Collective: the instant `lead_s` after the root, having waited for all, looks at its clock.
[[nodiscard]] GlobalTime announce(const SyncPlace& place, double lead_s);

} // namespace ictus::procsync
