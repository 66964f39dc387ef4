#include "clocksync/to_root.hpp"

#include "clocksync/continued.hpp"
#include "transport/control.hpp"

#include <vector>

namespace ictus::clocksync {

MergedModel merge_to_root(Transport& transport, DriftModel& drift, OffsetEstimator& estimator) {
    const int size = transport.size();
    const int power = floor_power_of_two(size);
    // The ways to this rank from itself and from those above it that lead through it, in order of rank.
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
            .at = {merged.model.to_local(merged.at)},
            .slope_error = merged.slope_error(),
            .intercept_error = merged.intercept_error(),
            .confidence = merged.interval};
}

std::unique_ptr<OffsetEstimator> make_intercept_estimator(const Bound& bound) {
    const Spec skampi{"skampi", {{"exchanges", {bound.text("intercept_exchanges"), {}}}}};
    return offset::registry().make(bind(offset::family(), skampi));
}

} // namespace ictus::clocksync
