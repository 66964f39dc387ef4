// The frequency of the processor's counter, from the most trustworthy source available.
#pragma once

#include <string>

namespace ictus {

struct Frequency {
    double hz = 0.0; ///< 0: this source does not tell
    std::string source;
};

/// What CPUID says of the counter: leaf 15h, the ratio of the counter to a crystal; leaf 4000_0010h (VMware's proposal,
/// also KVM's and Xen's), what the hypervisor states. 0: nothing.
struct CounterLeaves {
    unsigned denominator = 0;
    unsigned numerator = 0;
    unsigned crystal_hz = 0;
    unsigned hypervisor_khz = 0;
};
/// The rating by these, the processor's own first: a crystal runs some ppm beside it, so that its source is `nominal`.
[[nodiscard]] Frequency rated_frequency(const CounterLeaves& leaves);

/// The number in the processor's model name (`... @ 2.00GHz`).
[[nodiscard]] Frequency model_name_frequency();

/// The rated frequency, as the processor or the hypervisor states it (CPUID leaves 15h and 4000_0010h; cntfrq_el0): a
/// crystal runs some ppm beside its rating, the same on all ranks of a host.
[[nodiscard]] Frequency stated_frequency();

/// The stated one, else the number in the processor's model name. That number is rounded and may be off by per cents
/// (a processor named "@ 2.80GHz" was seen to count at 2.808 GHz), so it is used only on request.
[[nodiscard]] Frequency nominal_frequency();

/// Counted against CLOCK_MONOTONIC_RAW over `seconds`. Each end is the quickest of several bracketed readings, so that
/// an interrupt does not become a wrong frequency. Errs by less than 1e-7 for 0.1 s here; a longer time errs less.
[[nodiscard]] Frequency calibrated_frequency(double seconds);

/// The same, begun when this code was loaded, so that it includes the start of MPI: sleeps only for the rest of
/// `seconds`, and counts over longer where more has passed.
[[nodiscard]] Frequency calibrated_since_loading(double seconds);

/// As Netgauge does it (Hoefler et al.): the fewest ticks of any sleep of `sleep_s`, until three sleeps in a row were
/// no shorter. A sleep is never too short but some microseconds too long, so the result errs upwards, differently on
/// each rank: kept to show that.
[[nodiscard]] Frequency netgauge_frequency(double sleep_s = 1.0);

} // namespace ictus
