#include "interface/synchroniser.hpp"

#include "base/defaults.hpp"
#include "mpi/agreement.hpp"

#include <cmath>

namespace ictus {

struct Synchroniser::Request {
    Bound procsync;
    Bound clocksync;
    Bound clock;
};

Synchroniser::Request Synchroniser::read(const Texts& texts) {
    const auto bound = [](const FamilyInfo& family, std::string_view text, std::string_view otherwise) {
        return bind(family, parse_spec(text.empty() ? otherwise : text));
    };
    return {bind(procsync::family(), parse_spec(texts.procsync)),
            bound(clocksync::family(), texts.clocksync, defaults::clocksync),
            bound(clock::family(), texts.clock, defaults::clock)};
}

std::unique_ptr<Synchroniser> Synchroniser::create(MPI_Comm comm, const Texts& texts) {
    const Request request = mpi::agreed(comm, [&] { return read(texts); });
    return std::unique_ptr<Synchroniser>(new Synchroniser(comm, request));
}

Synchroniser::Synchroniser(MPI_Comm comm, const Request& request)
    : communicator_(comm, request.clock), global_clock_(communicator_.transport()) {
    mpi::agreed(communicator_.handle(), [&] {
        clocksync_ = clocksync::registry().make(request.clocksync);
        const ProcSyncContext start_context{transport(), global_clock_, clocksync_->synchronises()};
        procsync_ = procsync::registry().make(request.procsync, start_context);
        return true;
    });
    synchronise();
    procsync_->prepare(0.0); // the latency of the program's calls is not known
    procsync_->begin();
}

double Synchroniser::bound_in_windows() {
    const double window_s = procsync_->window_s();
    if (std::isnan(window_s)) {
        return 0.0;
    }
    const std::optional<GlobalTime> last = procsync_->instant();
    const LocalTime local = last ? global_clock_.model().to_local(*last) : transport().now();
    return bound(local) / window_s;
}

void Synchroniser::synchronise() {
    if (clocksync_->synchronises()) {
        const Synchronised own = clocksync_->synchronise(transport());
        global_clock_.set_model(own.model);
        bound_ = own.bound;
    }
}

} // namespace ictus
