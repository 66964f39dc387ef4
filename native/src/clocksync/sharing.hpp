// Inside a clock domain nothing needs to be learnt: all its ranks read one counter.
#pragma once

#include "clocksync/clocksync.hpp"
#include "clocksync/domains.hpp"

namespace ictus::clocksync {

/// Collective: each leader's outcome becomes that of all ranks of its domain. A member's bound is the leader's and one
/// step of the clock.
[[nodiscard]] Synchronised share(Transport& transport, const Domains& domains, const Synchronised& leaders);

} // namespace ictus::clocksync
