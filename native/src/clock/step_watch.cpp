#include "clock/step_watch.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "base/quantity.hpp"
#include "clock/visit.hpp"

#include <cmath>
#include <ctime>
#include <limits>

namespace ictus {
namespace {

constexpr int trials = 9;

std::int64_t read_ns(clockid_t which) {
    std::timespec now{};
    clock_gettime(which, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

bool reads_wtime(Clock& clock) {
    auto* const skewed = dynamic_cast<SkewedClock*>(&clock);
    return dynamic_cast<WtimeClock*>(skewed == nullptr ? &clock : &skewed->base()) != nullptr;
}

} // namespace

StepWatch::StepWatch(Clock& clock) : clock_(clock), is_watched_(!is_simulated && reads_wtime(clock)) {
    if (is_watched_) {
        last_ = read();
    }
}

void StepWatch::require_no_step(const std::string& during) {
    if (!is_watched_) {
        return;
    }
    const StepReading now = read();
    const double step_s = step_between(last_, now);
    last_ = now;
    if (step_s != 0.0) {
        throw measurement_error("the time of day was set " + format_duration(std::abs(step_s)) +
                                (step_s > 0 ? " forward" : " back") + " during " + during +
                                ", and this library's MPI_Wtime is the time of day: times of this launch are wrong. "
                                "Measure with --clock tsc or monotonic, or stop what sets the time");
    }
}

StepReading StepWatch::read() {
    StepReading best;
    best.width_ns = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < trials; ++i) { // where the process waits for a core in between, the three are not of one moment
        const std::int64_t begin = read_ns(CLOCK_MONOTONIC);
        const Ticks ticks = clock_.now();
        const std::int64_t day = read_ns(CLOCK_REALTIME);
        const std::int64_t width = read_ns(CLOCK_MONOTONIC) - begin;
        if (width < best.width_ns) {
            best = {begin + width / 2, width, day, std::llround(clock_.to_local(ticks).s * 1e9)};
        }
    }
    return best;
}

} // namespace ictus
