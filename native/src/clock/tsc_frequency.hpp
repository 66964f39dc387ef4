// The frequency of the processor's counter, from the most trustworthy source that there is.
#pragma once

#include <string>

namespace ictus {

struct Frequency {
    double hz = 0.0; ///< 0: this source does not tell
    std::string source;
};

/// What the processor or the hypervisor says (CPUID leaves 15h, 4000_0010h, 16h; cntfrq_el0), else the number in the
/// model name.
[[nodiscard]] Frequency nominal_frequency();

/// Counted against CLOCK_MONOTONIC_RAW over `seconds`. Each end is the quickest of several bracketed readings, so that
/// an interrupt does not become a wrong frequency. Errs by about 1e-7 for 0.2 s here; a longer time errs less.
[[nodiscard]] Frequency calibrated_frequency(double seconds);

} // namespace ictus
