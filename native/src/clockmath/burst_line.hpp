// A line by least squares through bursts of exchanges: for clocks and links whose least delay is no sharp edge.
#pragma once

#include "clockmath/strip.hpp"

namespace ictus {

/// The step of the coarser of both clocks, seconds: the smallest by which durations on it differ. Next to 0 where they
/// take all values.
[[nodiscard]] double resolution_of(const Constraints& points);

/// Several exchanges in a row make a burst, as in SKaMPI: its highest floor and its lowest ceiling give a middle and a
/// round trip. A line goes through the middles, where
///   - bursts of one round trip are compared with each other: a longer one is longer on one way mostly,
///   - middles that are far off do not count, and
///   - what the middles of 32 blocks of time share with their round trips is taken from them: when a link takes longer
///     for a while, one way may take more of it than the other.
/// The blocks also give the standard errors, so noise that lasts is in them. Tries bursts of 1 to 100 exchanges, and
/// takes those with the smallest standard error of the drift. `step`: of the clocks, seconds. Needs at least 64
/// exchanges.
[[nodiscard]] OffsetLine burst_line(const Constraints& points, double step);

} // namespace ictus
