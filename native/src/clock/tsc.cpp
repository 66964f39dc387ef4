#include "clock/tsc.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "clock/tsc_frequency.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace ictus {

bool has_invariant_counter() {
#if defined(__aarch64__)
    return true; // the architecture has one system counter
#else
    std::ifstream cpuinfo("/proc/cpuinfo");
    return tells_invariant_counter(cpuinfo);
#endif
}

bool tells_invariant_counter(std::istream& cpuinfo) {
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.rfind("flags", 0) != 0) {
            continue;
        }
        int found = 0;
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            found += word == "constant_tsc" || word == "nonstop_tsc" ? 1 : 0;
        }
        return found == 2;
    }
    return false;
}

namespace {

/// About as long as MPI takes to start: where that takes longer, no time is lost.
constexpr double calibration_s = 0.02;

constexpr const char* of_each_rank = "calibrated-per-rank";

/// Once a process: the clocks of many communicators need not take that time each, and must not differ.
Frequency calibrated_once() {
    static const Frequency found = calibrated_since_loading(calibration_s);
    return found;
}

Frequency decide_frequency(const Bound& bound) {
    if (!bound.is_word("frequency")) {
        return {bound.real("frequency"), "given"};
    }
    const std::string& wish = bound.text("frequency");
    if (wish == of_each_rank) {
        return netgauge_frequency();
    }
    if (wish == "calibrated") {
        return calibrated_once();
    }
    if (wish == "auto") {
        Frequency found = stated_frequency();
        return found.hz > 0.0 ? found : calibrated_once();
    }
    Frequency found = nominal_frequency();
    if (found.hz <= 0.0) {
        throw usage_error("clock 'tsc', parameter 'frequency': neither the processor, the hypervisor nor the model "
                          "name states a nominal frequency; use calibrated, or give the frequency in Hz");
    }
    return found;
}

/// One frequency a host, decided by its first rank; except `calibrated-per-rank`, which shows why.
bool is_shared(const Bound& bound) { return bound.text("frequency") != of_each_rank; }

constexpr Parameter tsc_parameters[] = {
    {
        .name = "frequency",
        .type = Parameter::Type::real,
        .default_value = "auto",
        .help = "Hz; or auto (what the processor or hypervisor states, else calibrated), nominal (stated, else from "
                "the model name), calibrated (20 ms or more against CLOCK_MONOTONIC_RAW), all three decided once per "
                "host; or calibrated-per-rank (each rank counts over sleeps of one second, which takes several "
                "seconds; kept to show its error)",
        .minimum = 1,
        .choices = "auto nominal calibrated calibrated-per-rank",
    },
};

} // namespace

TscClock::TscClock(const Bound& bound, const ClockContext& context) : CounterClock(context.yields) {
    if constexpr (is_simulated) {
        throw usage_error("clock 'tsc' reads real time, and a simulator has a time of its own; use wtime or monotonic");
    }
#if !defined(__x86_64__) && !defined(__aarch64__)
    throw usage_error("clock 'tsc' is not available on this processor; use monotonic");
#endif
    shares_frequency_ = is_shared(bound);
    const bool decided = context.frequency_hz > 0.0 && shares_frequency_;
    const Frequency frequency =
        decided ? Frequency{context.frequency_hz, "first rank of the host"} : decide_frequency(bound);
    frequency_hz_ = frequency.hz;
    frequency_source_ = frequency.source;
    start_epoch(context);
}

bool TscClock::is_common_to_host() const { return shares_frequency_ && has_invariant_counter(); }

const ClockMember clock::tsc = {
    {"tsc", "the processor's time stamp counter (rdtscp and lfence; cntvct_el0)", "", tsc_parameters},
    [](const Bound& bound, const ClockContext& context) -> std::unique_ptr<Clock> {
        return std::make_unique<TscClock>(bound, context);
    }};

} // namespace ictus
