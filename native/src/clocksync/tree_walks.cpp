#include "clocksync/tree_walks.hpp"

#include "base/summary.hpp"
#include "transport/control.hpp"
#include "transport/global_clock.hpp"

#include <cmath>
#include <vector>

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
    bound.at = edge.model.to_local(as_reference(bound.at)); // the member's time from here on
    if (is_one_counter(edge)) {                             // what is known of the leader's clock is known of this one
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
    own.intercept_error = undefined; // depends on the covariance of the leader's two errors
    return own;
}

Synchronised FromRoot::synchronise(Transport& transport) {
    const auto attempt = [&] { return walk(transport); };
    if (!drift_->proves()) {
        return attempt();
    }
    return without_contradiction(attempt, [&](const Synchronised&) { return anywhere(transport, contradicted_); });
}

Synchronised FromRoot::walk(Transport& transport) {
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
        contradicted_ = std::isnan(learned.bound.half_width); // the edge's own: a way may be unproven for other reasons
        const Synchronised edge{learned.model, learned.at, learned.slope_error, learned.bound};
        own = continued(receive_value<Synchronised>(transport, meeting->peer), edge);
    }
    return own;
}

MergedModel merge_to_root(Transport& transport, DriftModel& drift, OffsetEstimator& estimator) {
    const int size = transport.size();
    const int power = floor_power_of_two(size);
    // The ways to this rank from itself and from the ranks above that lead through it, in order of rank.
    std::vector<MergedModel> ways(1);
    for (const auto& meeting : rounds_to_root(size, transport.rank())) {
        if (!meeting) {
            continue;
        }
        const LearnedModel learned = drift.learn(transport, *meeting, estimator);
        if (meeting->role == Role::client) {
            const MergedModel edge = edge_model(learned.model, learned.at, learned.offset_error, learned.slope_error);
            for (MergedModel& way : ways) {
                way = compose(edge, way);
            }
            const bool last = transport.rank() >= power;
            transport.send(last ? 0 : meeting->peer, std::as_bytes(std::span(ways)));
        } else if (meeting->peer < power) {
            const std::size_t known = ways.size();
            ways.resize(2 * known); // the client's tree is as large as this rank's own was
            transport.receive(meeting->peer, std::as_writable_bytes(std::span(ways).subspan(known)));
        }
    }
    if (transport.rank() == 0) {
        for (int rank = power; rank < size; ++rank) {
            const auto edge = receive_value<MergedModel>(transport, rank);
            ways.push_back(compose(ways[static_cast<std::size_t>(rank - power)], edge));
        }
    }
    return control::scatter(transport, ways);
}

Synchronised outcome_of(Transport& transport, const MergedModel& merged) {
    if (transport.rank() == 0) {
        return root_of(transport);
    }
    return {.model = merged.model,
            .at = merged.model.to_local(merged.at),
            .slope_error = merged.slope_error(),
            .intercept_error = merged.intercept_error(),
            .confidence = merged.interval};
}

std::unique_ptr<OffsetEstimator> make_intercept_estimator(const Bound& bound) {
    const Spec skampi{"skampi", {{"exchanges", {bound.text("intercept_exchanges"), {}}}}};
    return offset::registry().make(bind(offset::family(), skampi));
}

} // namespace ictus::clocksync
