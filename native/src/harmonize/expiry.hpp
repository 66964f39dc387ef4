// How long a global clock is good for after it was synchronised.
#pragma once

#include "clockmath/error_bound.hpp"

namespace ictus {

struct ExpiryRule {
    double allowance_s = 1e-6; ///< by which a proven bound may grow
    double otherwise_s = 1.0;  ///< lifetime where nothing is proven of later times
    double longest_s = 60.0;   ///< lifetime of the best: a bound rests on assumptions
};

/// The local time from `now` on at which a clock with this bound should be synchronised anew.
[[nodiscard]] double expiry_of(const ErrorBound& bound, double now, const ExpiryRule& rule);

} // namespace ictus
