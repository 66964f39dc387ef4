#include "measure/calibration.hpp"

#include "transport/modelled_transport.hpp"

namespace ictus {
namespace {

/// Runs one synchronisation and keeps the books.
Calibration synchronise(Transport& transport, Transport& base, ClockSync& algorithm) {
    const LocalTime begin = base.now();
    const std::uint64_t sent = base.messages_sent();
    Calibration calibration;
    calibration.result = algorithm.synchronise(transport);
    calibration.at = base.now();
    calibration.anchored = calibration.result.at;
    calibration.elapsed_s = calibration.at - begin;
    calibration.messages = base.messages_sent() - sent;
    return calibration;
}

} // namespace

Calibration open_block(Workplace& workplace) {
    Calibration opening = synchronise(workplace.transport(), workplace.transport(), workplace.clocksync());
    workplace.global_clock().set_model(opening.result.model);
    return opening;
}

Calibration close_block(Workplace& workplace, const Calibration& opening) {
    if (!workplace.clocksync().synchronises()) {
        Calibration nothing;
        nothing.at = workplace.transport().now();
        return nothing;
    }
    // Measured on the modelled clocks, so what comes out is what the opening model has missed.
    ModelledTransport modelled(workplace.transport(), opening.result.model);
    const auto offsets =
        clocksync::registry().make(bind(clocksync::family(), parse_spec("hca3-offset(exchanges=100)")));
    Calibration closing = synchronise(modelled, workplace.transport(), *offsets);
    closing.residual_s = closing.result.model.intercept;
    closing.anchored = {opening.result.model.to_local(closing.result.at.s)}; // it was told in modelled time
    return closing;
}

ClockModel model_between(const Calibration& opening, const Calibration& closing) {
    return interpolate(opening.result.model, opening.anchored.s, closing.anchored.s, closing.residual_s);
}

Calibration reanchored(const Calibration& opening, const Calibration& closing) {
    Calibration next = opening;
    next.result.model.intercept += closing.residual_s;
    next.at = closing.at;
    next.anchored = closing.anchored;
    next.elapsed_s = 0.0;
    next.messages = 0;
    return next;
}

} // namespace ictus
