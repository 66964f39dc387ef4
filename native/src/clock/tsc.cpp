#include "clock/tsc.hpp"

#include "clock/tsc_frequency.hpp"
#include "core/error.hpp"
#include "core/quantity.hpp"

namespace ictus {
namespace {

constexpr double calibration_s = 0.2;

Frequency decide_frequency(const std::string& wish) {
    if (wish == "calibrated") {
        return calibrated_frequency(calibration_s);
    }
    if (wish == "auto") {
        Frequency found = stated_frequency();
        return found.hz > 0.0 ? found : calibrated_frequency(calibration_s);
    }
    if (wish == "nominal") {
        Frequency found = nominal_frequency();
        if (found.hz <= 0.0) {
            throw usage_error("clock 'tsc', parameter 'frequency': neither processor, hypervisor nor model name tells "
                              "a nominal frequency; use calibrated or give it in Hz");
        }
        return found;
    }
    const double hz = parse_real(wish, "clock 'tsc', parameter 'frequency'");
    if (hz <= 0.0) {
        throw usage_error("clock 'tsc', parameter 'frequency': " + wish + " is not above 0");
    }
    return {hz, "given"};
}

constexpr Parameter tsc_parameters[] = {
    {
        .name = "frequency",
        .type = Parameter::Type::text,
        .default_value = "auto",
        .help = "auto (what processor or hypervisor state, else calibrated), nominal (stated, else the model name), "
                "calibrated (0.2 s against CLOCK_MONOTONIC_RAW), or a number of Hz; decided once per host",
    },
};

} // namespace

TscClock::TscClock(const Bound& bound, const ClockPlace& place) : CounterClock(place.yields) {
#if !defined(__x86_64__) && !defined(__aarch64__)
    throw usage_error("clock 'tsc' is not known on this processor; use monotonic");
#endif
    const Frequency frequency = place.frequency_hz > 0.0 ? Frequency{place.frequency_hz, "first rank of the host"}
                                                         : decide_frequency(bound.text("frequency"));
    frequency_hz_ = frequency.hz;
    frequency_source_ = frequency.source;
    start_epoch(place);
}

const ClockMember clock::tsc = {
    {"tsc", "the processor's time stamp counter (rdtscp and lfence; cntvct_el0)", "", tsc_parameters},
    [](const Bound& bound, const ClockPlace& place) -> std::unique_ptr<Clock> {
        return std::make_unique<TscClock>(bound, place);
    }};

} // namespace ictus
