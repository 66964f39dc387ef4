// Two ways to a line through noisy offsets. Least squares through blocks of exchanges: a block counts as the middle of
// the interval that its exchanges prove together.
#pragma once

#include "clockmath/strip.hpp"

#include <optional>

namespace ictus {

/// Tries blocks of 4, 16, 64, ... exchanges, at least 8 blocks of them, and takes the line with the smallest standard
/// error of the drift. Needs at least 32 exchanges.
[[nodiscard]] OffsetLine best_block_line(const Constraints& points);

// And the better of this line and the strip's (strip.hpp), as the estimate of a clock's offset and drift, with two
// errors: a proven one, and a likely one.

/// Prior knowledge of a clock.
struct KnownOfClock {
    std::optional<double> drift{}; ///< the estimate has this drift; the proof rests on the exchanges alone
    double wander = 0.0;           ///< the drift changes by at most wander sqrt(t) in time t; ratio per root second
};

struct StripFit {
    OffsetLine line;
    /// Half the widest interval that the exchanges leave at time `end`, and how much further it opens a second, for the
    /// drift at `end`. Needs no assumption but the largest wander. NaN where the exchanges contradict it: no clock that
    /// wanders this little fits between them.
    LocalTime end{};
    double half_width = 0.0;
    double slope = 0.0;
};

/// `points` sorted by time, floor[i] and ceiling[i] of the same exchange, at least 1; of one exchange alone the drift
/// is taken as 0 and its variance is infinite.
///
/// Where delays crowd at their least value the strip is best. Where they do not (normal, gamma with a shape above 2)
/// averages of short blocks are. The choice rests on how fast the strips of interleaved parts of the exchanges agree as
/// the parts grow.
[[nodiscard]] StripFit fit_strip(const Constraints& points, const KnownOfClock& known = {});

} // namespace ictus
