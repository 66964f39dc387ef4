#include "clocksync/continued.hpp"

#include <cmath>

namespace ictus::clocksync {
namespace {

/// Whether an edge says that member and leader read one counter: no correction, and an error that never grows.
bool is_one_counter(const Synchronised& edge) {
    const ErrorBound& bound = edge.bound;
    return edge.model == ClockModel{} && bound.slope == 0.0 && bound.wander == 0.0 && bound.drift_variance == 0.0;
}

} // namespace

Synchronised continued(const Synchronised& leader, const Synchronised& edge) {
    ErrorBound bound = leader.bound;
    bound.at = edge.model.to_local(bound.at); // told in the member's time from here on
    if (is_one_counter(edge)) {               // whatever is known of the leader's clock is known of this one
        Synchronised own = leader;
        own.bound = bound;
        own.bound.half_width += edge.bound.half_width;
        return own;
    }
    Synchronised own = edge;
    own.bound = add(bound, edge.bound);
    if (leader.model == ClockModel{}) { // it shows the root's time
        return own;
    }
    own.model = compose(leader.model, edge.model);
    own.confidence = compose(leader.confidence, edge.confidence);
    own.slope_error = std::hypot(leader.slope_error, edge.slope_error);
    own.intercept_error = std::numeric_limits<double>::quiet_NaN(); // rests on how the leader's two errors go together
    return own;
}

} // namespace ictus::clocksync
