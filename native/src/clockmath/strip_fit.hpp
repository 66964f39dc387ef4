// A clock's offset and drift from its exchanges, with two errors: a proven one, and a likely one.
#pragma once

#include "clockmath/strip.hpp"

#include <optional>

namespace ictus {

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
/// Where delays crowd at their least value and clocks show every instant, the strip (strip.hpp) is best. Where they do
/// not (normal, gamma with a shape above 2), where clocks go in steps or the least delay itself changes with time, a
/// line through bursts is (burst_line.hpp). The choice rests on the errors of both: on how fast the strips of
/// interleaved parts of the exchanges agree as the parts grow, on how far consecutive parts stray, and on the steps.
[[nodiscard]] StripFit fit_strip(const Constraints& points, const KnownOfClock& known = {});

} // namespace ictus
