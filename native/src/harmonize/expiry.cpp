#include "harmonize/expiry.hpp"

namespace ictus {

double expiry_of(const ErrorBound& bound, double now, const ExpiryRule& rule) {
    const double latest = now + rule.longest_s;
    const double permitted = bound(now) + rule.allowance_s;
    if (std::isnan(bound(latest)) || std::isnan(permitted)) {
        return now + rule.otherwise_s;
    }
    if (bound(latest) <= permitted) {
        return latest;
    }
    double early = now; // permitted still
    double late = latest;
    while (late - early > 1e-6 * rule.longest_s) {
        const double middle = (early + late) / 2.0;
        (bound(middle) <= permitted ? early : late) = middle;
    }
    return early;
}

} // namespace ictus
