// Netgauge's walk: from the leaves up, each pair of ranks learns on its raw clocks; what was learnt is merged on the
// way to the root, which scatters it at the end. Hoefler, Schneider, Lumsdaine 2008 for offsets; Hunold and
// Carpen-Amarie 2016, algorithm 3, for models.
#pragma once

#include "clockmath/merged_model.hpp"
#include "clocksync/clocksync.hpp"
#include "drift/drift.hpp"

namespace ictus::clocksync {

/// Every rank's merged model to the root. ceil(log2 p) rounds (clockmath/rounds, rounds_to_root) of one edge each,
/// whose results go to the root; a scatter. Messages, but for those of learning: 2 (p - 1).
[[nodiscard]] MergedModel merge_to_root(Transport& transport, DriftModel& drift, OffsetEstimator& estimator);

/// One rank's outcome; the root's own is exact, and of the others nothing is proven.
[[nodiscard]] Synchronised outcome_of(Transport& transport, const MergedModel& merged);

/// What hca and hca2 can be told.
inline constexpr Parameter hca_parameters[] = {
    {.name = "drift",
     .type = Parameter::Type::member,
     .default_value = "regression(fitpoints=1000,span=0,reanchor=off,slope_test=off)",
     .help = "how each pair learns its slope",
     .family = &drift::family},
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "mean-rtt",
     .help = "how each offset is estimated for that",
     .family = &offset::family},
    {.name = "intercept_exchanges",
     .type = Parameter::Type::count,
     .default_value = "100",
     .help = "round trips for an intercept, by offset skampi",
     .minimum = 1,
     .maximum = 1e6},
};

/// The estimator that the last of these parameters says.
[[nodiscard]] std::unique_ptr<OffsetEstimator> make_intercept_estimator(const Bound& bound);

} // namespace ictus::clocksync
