#include "clocksync/from_root.hpp"

#include "transport/modelled_transport.hpp"

namespace ictus::clocksync {

Synchronised FromRoot::synchronise(Transport& transport) {
    Synchronised own;
    for (const auto& meeting : rounds_from_root(transport.size(), transport.rank())) {
        if (!meeting) {
            continue;
        }
        // A rank is a client once, before it serves: until then its model is the identity and its clock the raw one.
        ModelledTransport emulated_root(transport, own.model);
        const LearnedModel learned = drift_->learn(emulated_root, *meeting, *estimator_);
        if (meeting->role == Role::client) {
            own = {learned.model, transport.now(), learned.slope_error, learned.bound};
        }
    }
    return own;
}

} // namespace ictus::clocksync
