#include "interface/tracing_clock.hpp"

#include "core/defaults.hpp"
#include "mpi/agreement.hpp"
#include "mpi/domain_claim.hpp"
#include "mpi/host_clock.hpp"
#include "transport/modelled_transport.hpp"

#include <mutex>

namespace ictus {
namespace {

struct Request {
    Bound algorithm;
    Bound base;
};

Request read_request(std::string_view algorithm, std::string_view base) {
    return {bind(clocksync::family(), parse_spec(algorithm.empty() ? defaults::clocksync : algorithm)),
            bind(clock::family(), parse_spec(base.empty() ? defaults::clock : base))};
}

} // namespace

std::unique_ptr<TracingClock> TracingClock::create(MPI_Comm comm, std::string_view algorithm, std::string_view base) {
    const Request request = mpi::agreed(comm, [&] { return read_request(algorithm, base); });
    std::unique_ptr<TracingClock> clock(new TracingClock(comm, request.algorithm, request.base));
    clock->synchronise();
    return clock;
}

TracingClock::TracingClock(MPI_Comm comm, const Bound& algorithm, const Bound& base)
    : comm_(mpi::Communicator::duplicate(comm)), topology_(mpi::read_topology(comm_.handle())),
      clock_(mpi::agreed(comm_.handle(), [&] { return mpi::make_host_clock(base, topology_, comm_.rank()); })),
      transport_(comm_.handle(), *clock_,
                 mpi::claim_domains(topology_, comm_.handle(), mpi::DomainClaim::automatic, *clock_)),
      algorithm_(mpi::agreed(comm_.handle(), [&] { return clocksync::registry().make(algorithm); })),
      description_(to_string(algorithm.spec()) + " on " + to_string(base.spec()) + ", " +
                   std::to_string(clock_->frequency_hz()) + " Hz (" + clock_->frequency_source() + ")") {}

void TracingClock::synchronise() {
    const Synchronised result = algorithm_->synchronise(transport_);
    const std::scoped_lock turn(history_turn_);
    history_.add(result.at.s, result.model, result.bound);
}

void TracingClock::reanchor() {
    // Measured on the modelled clocks, so what comes out is what the last model has missed.
    ModelledTransport modelled(transport_, history_.model());
    const Synchronised found = algorithm_->measure_again(modelled);
    const std::scoped_lock turn(history_turn_);
    history_.reanchor(history_.model().to_local(found.at.s), found.model.offset_at(found.at.s), found.bound);
}

GlobalTime TracingClock::global(Ticks ticks) const {
    const std::shared_lock turn(history_turn_);
    return {history_.to_global(clock_->to_local(ticks).s)};
}

double TracingClock::bound(Ticks ticks) const {
    const std::shared_lock turn(history_turn_);
    return history_.bound(clock_->to_local(ticks).s);
}

} // namespace ictus
