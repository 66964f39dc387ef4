// Whether the processor's counter is one for a whole host.
#pragma once

#include "clock/counter_clock.hpp"

#include <istream>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ictus {

/// Runs at one rate whatever the cores do: the kernel's own condition for taking the counters of all cores as one
/// clock. False where the machine does not report it.
[[nodiscard]] bool has_invariant_counter();

/// The same from the text of x86's /proc/cpuinfo: `constant_tsc` (in all states of frequency) and `nonstop_tsc` (in
/// sleep too). The kernel gives all processors of a host the same flags, so the first ones count.
[[nodiscard]] bool tells_invariant_counter(std::istream& cpuinfo);

// `tsc`: the processor's own counter, read in a few nanoseconds without a system call. The default where it is
// invariant.

class TscClock final : public CounterClock<TscClock> {
public:
    TscClock(const Bound& bound, const ClockContext& context);

#if defined(ICTUS_SIMULATED)
    [[nodiscard]] static std::int64_t raw() { return 0; } // never made: the constructor refuses
#elif defined(__x86_64__)
    /// rdtscp waits for the instructions before it, lfence holds back those behind it: the call stays between its two
    /// readings.
    [[nodiscard]] static std::int64_t raw() {
        unsigned processor = 0;
        const auto count = static_cast<std::int64_t>(__rdtscp(&processor));
        _mm_lfence();
        return count;
    }
#elif defined(__aarch64__)
    [[nodiscard]] static std::int64_t raw() {
        std::int64_t count = 0;
        asm volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(count)::"memory");
        return count;
    }
#else
    [[nodiscard]] static std::int64_t raw() { return 0; } // never made: the constructor refuses
#endif

    [[nodiscard]] double frequency_hz() const override { return frequency_hz_; }
    [[nodiscard]] std::string frequency_source() const override { return frequency_source_; }
    [[nodiscard]] bool is_common_to_host() const override;

private:
    double frequency_hz_ = 0.0;
    std::string frequency_source_;
    bool shares_frequency_ = true; ///< with the other ranks of the host
};

namespace clock {

extern const ClockMember tsc;

} // namespace clock

} // namespace ictus
