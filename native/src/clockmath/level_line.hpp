// A line through the levels of the shortest ways, block by block of time: for clocks and links whose least delay is no
// sharp edge.
#pragma once

#include "clockmath/strip.hpp"

namespace ictus {

/// The step of the coarser of both clocks, seconds: the smallest by which durations on it differ. Next to 0 where they
/// take all values.
[[nodiscard]] double resolution_of(const Constraints& points);

/// Exchanges in a row make a block; its level is half way between the mean of its lowest ceilings and the mean of its
/// highest floors. The drift is the median of the slopes between any two blocks, weighted by their distance (Sen 1968),
/// so that a level that is off for a while does not turn the line. Only blocks of about the same round trip are
/// compared: when a link takes longer, one way may take more of it than the other. Tries several shares of a block as
/// its lowest, and takes the one with the smallest standard error. `near`: a drift near the truth. Needs at least 32
/// exchanges.
[[nodiscard]] OffsetLine level_line(const Constraints& points, double near);

} // namespace ictus
