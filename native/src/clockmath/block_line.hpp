// The other way to a line through noisy offsets: least squares through blocks of exchanges, each the middle of what its
// exchanges prove together.
#pragma once

#include "clockmath/strip.hpp"

namespace ictus {

/// Tries blocks of 4, 16, 64, ... exchanges, at least 8 blocks of them, and takes the line with the smallest standard
/// error of the drift. Needs at least 32 exchanges.
[[nodiscard]] OffsetLine best_block_line(const Constraints& points);

} // namespace ictus
