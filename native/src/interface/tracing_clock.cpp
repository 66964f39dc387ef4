#include "interface/tracing_clock.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "mpi/agreement.hpp"
#include "transport/global_clock.hpp"

#include <mutex>

namespace ictus {
namespace {

struct ClockRequest {
    Bound algorithm;
    Bound base;
};

/// A trace is interpolated between its synchronisations, whatever they are.
std::unique_ptr<ClockSync> make_clocksync(const Bound& algorithm) {
    std::unique_ptr<ClockSync> made = clocksync::registry().make(algorithm);
    if (!made->interpolates()) {
        throw PlanError("clocksync 'extrapolate' is for the stamps of a launch; name the algorithm itself");
    }
    return made;
}

ClockRequest read_request(std::string_view algorithm, std::string_view base) {
    return {bind(clocksync::family(), parse_spec(algorithm.empty() ? defaults::clocksync : algorithm)),
            bind(clock::family(), parse_spec(base.empty() ? defaults::clock : base))};
}

} // namespace

std::unique_ptr<TracingClock> TracingClock::create(MPI_Comm comm, std::string_view algorithm, std::string_view base) {
    const ClockRequest request = mpi::agreed(comm, [&] { return read_request(algorithm, base); });
    std::unique_ptr<TracingClock> clock(new TracingClock(comm, request.algorithm, request.base));
    clock->synchronise();
    return clock;
}

TracingClock::TracingClock(MPI_Comm comm, const Bound& algorithm, const Bound& base)
    : communicator_(comm, base),
      algorithm_(mpi::agreed(communicator_.handle(), [&] { return make_clocksync(algorithm); })),
      description_(to_string(algorithm.spec()) + " on " + communicator_.description()) {}

void TracingClock::synchronise() {
    const Synchronised result = algorithm_->synchronise(communicator_.transport());
    const std::scoped_lock turn(history_turn_);
    history_.add(result.at, result.model, result.bound);
}

void TracingClock::reanchor() {
    // Measured on the modelled clocks, so the outcome is the error of the last model.
    ModelledTransport modelled(communicator_.transport(), history_.model());
    const Synchronised found = algorithm_->measure_again(modelled);
    const std::scoped_lock turn(history_turn_);
    history_.reanchor(modelled.to_base(found.at), found.model.offset_at(found.at).s, found.bound);
}

GlobalTime TracingClock::global(Ticks ticks) const {
    const std::shared_lock turn(history_turn_);
    return history_.to_global(communicator_.clock().to_local(ticks));
}

double TracingClock::bound(Ticks ticks) const {
    const std::shared_lock turn(history_turn_);
    return history_.bound(communicator_.clock().to_local(ticks));
}

} // namespace ictus
