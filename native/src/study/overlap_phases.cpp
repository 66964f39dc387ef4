#include "study/overlap_phases.hpp"

#include "base/error.hpp"
#include "base/summary.hpp"
#include "clock/visit.hpp"
#include "mpi/handles.hpp"
#include "workload/timed_window.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ictus {
namespace {

constexpr double short_piece_s = 20e-6; ///< a scheduler's slice is a hundred times as long

/// Times the calls of one repetition, each in a window of its own (workload/timed_window.hpp). A computation lasts from
/// the end of the window before it to the start of the one behind it.
template <class ConcreteClock>
class PhaseTimer {
public:
    PhaseTimer(ConcreteClock& clock, Phases& phases) : clock_(clock), phases_(phases) {}

    void call(const BoundCall& call, std::int64_t& phase) {
        const TimedWindow<ConcreteClock> window = time_call(clock_, call);
        const Ticks start = clock_.ticks(window.start), end = clock_.ticks(window.end);
        phases_.compute += computing_ ? start - at_ : 0;
        phase += end - start;
        at_ = end;
        computing_ = false;
        code_ = window.code != MPI_SUCCESS ? window.code : code_;
    }
    void compute(ComputationKind kind, std::uint64_t amount) {
        if (kind == ComputationKind::time) {
            clock_.wait_until({at_.count + static_cast<std::int64_t>(amount)});
        } else if (kind == ComputationKind::work) {
            work(amount);
        }
        computing_ = true;
    }
    /// The last one other than success.
    [[nodiscard]] int code() const { return code_; }

private:
    ConcreteClock& clock_;
    Phases& phases_;
    Ticks at_{};
    bool computing_ = false;
    int code_ = MPI_SUCCESS;
};

template <class ConcreteClock>
void compute_with_tests(PhaseTimer<ConcreteClock>& timer, const Computation& computation, Phases& phases,
                        const BoundCall& test) {
    const ProgressCalls& calls = computation.tests;
    if (calls.n > 0) {
        timer.call(test, phases.test);
    }
    for (std::uint64_t i = 0; i < calls.pieces(); ++i) {
        timer.compute(computation.kind, calls.piece(computation.amount, i));
        if (calls.n > 1) {
            timer.call(test, phases.test);
        }
    }
}

/// Not inlined, so that tests/native/test_timed_window.py finds it.
template <class ConcreteClock>
[[gnu::noinline]] int overlap(ConcreteClock& clock, Startable& operation, const Computation& computation,
                              Phases& phases) {
    MPI_Request request = MPI_REQUEST_NULL;
    int completed = 0;
    const BoundCall start = operation.bind_start(request);
    const BoundCall test(MPI_Test, &request, &completed, MPI_STATUS_IGNORE);
    const BoundCall wait(MPI_Wait, &request, MPI_STATUS_IGNORE);
    PhaseTimer timer(clock, phases);
    timer.call(start, phases.init);
    if (computation.kind != ComputationKind::none) {
        compute_with_tests(timer, computation, phases, test);
    }
    timer.call(wait, phases.wait);
    return timer.code();
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
    throw measurement_error("by this clock computing takes no time (is it simulated?), so that no amount of work is "
                            "long enough; use compute kind 'time'");
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
        const BoundCall nothing; // as many readings as with an operation
        PhaseTimer timer(concrete, phases);
        timer.call(nothing, phases.init);
        compute_with_tests(timer, computation, phases, nothing);
        timer.call(nothing, phases.wait);
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
