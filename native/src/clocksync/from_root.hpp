// HCA3's walk: from the root down, each rank learns its model directly against a partner that already answers with the
// root's time. No models are merged, gathered or scattered, and no barrier is needed.
#pragma once

#include "clocksync/clocksync.hpp"
#include "drift/drift.hpp"

namespace ictus::clocksync {

/// ceil(log2 p) rounds (core/rounds, rounds_from_root).
[[nodiscard]] Synchronised learn_from_root(Transport& transport, DriftModel& drift, OffsetEstimator& estimator);

} // namespace ictus::clocksync
