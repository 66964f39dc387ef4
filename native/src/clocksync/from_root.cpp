#include "clocksync/from_root.hpp"

#include "clocksync/continued.hpp"
#include "transport/modelled_transport.hpp"

namespace ictus::clocksync {

Synchronised FromRoot::synchronise(Transport& transport) {
    Synchronised own = root_of(transport);
    for (const auto& meeting : rounds_from_root(transport.size(), transport.rank())) {
        if (!meeting) {
            continue;
        }
        // A rank is a client once, before it serves: until then its model is the identity and its clock the raw one.
        ModelledTransport emulated_root(transport, own.model);
        const LearnedModel learned = drift_->learn(emulated_root, *meeting, *estimator_);
        if (meeting->role == Role::reference) {
            send_value(transport, meeting->peer, shown(own));
            continue;
        }
        const Synchronised edge{learned.model, {learned.at}, learned.slope_error, learned.bound};
        own = continued(receive_value<Synchronised>(transport, meeting->peer), edge);
    }
    return own;
}

} // namespace ictus::clocksync
