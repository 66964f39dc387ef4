#include "study/overlap_phases.hpp"

#include "base/error.hpp"
#include "base/summary.hpp"
#include "clock/visit.hpp"
#include "mpi/handles.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ictus {
namespace {

constexpr double short_piece_s = 20e-6; ///< a scheduler's slice is a hundred times as long

/// The clock's reading handed from phase to phase.
template <class ConcreteClock>
class PhaseTimer {
public:
    explicit PhaseTimer(ConcreteClock& clock) : clock_(clock), at_(clock.read()) {}
    void ends(std::int64_t& phase) {
        const Ticks now = clock_.read();
        phase += now - at_;
        at_ = now;
    }
    void compute(ComputationKind kind, std::uint64_t amount) {
        if (kind == ComputationKind::time) {
            clock_.wait_until({at_.count + static_cast<std::int64_t>(amount)});
        } else if (kind == ComputationKind::work) {
            work(amount);
        }
    }

private:
    ConcreteClock& clock_;
    Ticks at_;
};

/// `test()` is a progress call, or nothing.
template <class ConcreteClock, class Test>
void compute_with_tests(PhaseTimer<ConcreteClock>& phased, const Computation& computation, Phases& phases, Test test) {
    const ProgressCalls& calls = computation.tests;
    if (calls.n > 0) {
        test();
        phased.ends(phases.test);
    }
    for (std::uint64_t i = 0; i < calls.pieces(); ++i) {
        phased.compute(computation.kind, calls.piece(computation.amount, i));
        phased.ends(phases.compute);
        if (calls.n > 1) {
            test();
            phased.ends(phases.test);
        }
    }
}

template <class ConcreteClock>
int overlap(ConcreteClock& clock, Startable& operation, const Computation& computation, Phases& phases) {
    MPI_Request request = MPI_REQUEST_NULL;
    int worst = MPI_SUCCESS;
    const auto keep = [&worst](int code) { worst = code != MPI_SUCCESS ? code : worst; };
    const BoundCall start = operation.bind_start(request);
    PhaseTimer phased(clock);
    keep(start());
    phased.ends(phases.init);
    if (computation.kind != ComputationKind::none) {
        compute_with_tests(phased, computation, phases, [&] {
            int completed = 0;
            keep(MPI_Test(&request, &completed, MPI_STATUS_IGNORE));
        });
    }
    keep(MPI_Wait(&request, MPI_STATUS_IGNORE));
    phased.ends(phases.wait);
    return worst;
}

/// Units that take about `short_piece_s`.
template <class ConcreteClock>
std::uint64_t short_units(ConcreteClock& clock) {
    const auto enough = static_cast<std::int64_t>(short_piece_s * clock.frequency_hz());
    std::uint64_t units = 256;
    for (int doubling = 0; doubling < 32; ++doubling, units *= 2) {
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (int trial = 0; trial < 3; ++trial) {
            const Ticks begin = clock.read();
            work(units);
            shortest = std::min(shortest, clock.read() - begin);
        }
        if (shortest >= enough) {
            return units;
        }
    }
    throw measurement_error("computing takes no time by this clock (is it simulated?), so that no amount of work is "
                            "long enough; compute kind 'time' needs none");
}

} // namespace

Phases overlap_once(Clock& clock, Startable& operation, const Computation& computation) {
    Phases phases;
    int code = MPI_SUCCESS;
    clock::visit(clock, [&](auto& concrete) { code = overlap(concrete, operation, computation, phases); });
    mpi::check(code, "a nonblocking operation, its test or its wait");
    return phases;
}

Phases compute_alone(Clock& clock, const Computation& computation) {
    Phases phases;
    clock::visit(clock, [&](auto& concrete) {
        PhaseTimer phased(concrete);
        phased.ends(phases.init); // as many readings as with an operation
        compute_with_tests(phased, computation, phases, [] {});
        phased.ends(phases.wait);
    });
    return phases;
}

double undisturbed_s(Clock& clock, std::uint64_t units) {
    constexpr std::size_t least_pieces = 25;
    double seconds = 0.0;
    clock::visit(clock, [&](auto& concrete) {
        const std::uint64_t piece = std::min(short_units(concrete), std::max<std::uint64_t>(1, units));
        const std::uint64_t n = std::max<std::uint64_t>(least_pieces, units / piece);
        std::vector<double> durations;
        for (std::uint64_t i = 0; i < n; ++i) {
            const Ticks begin = concrete.read();
            work(piece);
            durations.push_back(static_cast<double>(concrete.read() - begin) / concrete.frequency_hz());
        }
        seconds = summarise(std::move(durations)).median * static_cast<double>(units) / static_cast<double>(piece);
    });
    return seconds;
}

std::uint64_t find_workload(Clock& clock, double least_s) {
    constexpr double step_share = 0.02;
    std::uint64_t pilot = 0;
    clock::visit(clock, [&](auto& concrete) { pilot = short_units(concrete); });
    const double units = least_s / (undisturbed_s(clock, pilot) / static_cast<double>(pilot));
    const auto step = static_cast<std::uint64_t>(std::ceil(step_share * units));
    std::uint64_t found = static_cast<std::uint64_t>(0.9 * units);
    for (int i = 0; i < 1000 && undisturbed_s(clock, found) < least_s; ++i) {
        found += std::max<std::uint64_t>(1, step);
    }
    return found;
}

} // namespace ictus
