// Whether the processor's counter is one for a whole host.
#pragma once

#include "clock/counter_clock.hpp"

#include <array>
#include <cstdint>
#include <istream>

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

#if !defined(ICTUS_SIMULATED) && defined(__x86_64__)
    using Reading = std::array<std::uint32_t, 2>; ///< the lower half, the upper half
    /// rdtscp waits for the instructions before it, lfence holds back those behind it: the call stays between its two
    /// readings.
    [[nodiscard]] static Reading look() {
        Reading reading;
        asm volatile("rdtscp\n\tlfence" : "=a"(reading[0]), "=d"(reading[1]) : : "rcx", "memory");
        return reading;
    }
    /// Waits for nothing, and holds nothing back: half of that time.
    [[nodiscard]] static Reading glance() {
        Reading reading;
        asm volatile("rdtsc" : "=a"(reading[0]), "=d"(reading[1]) : : "memory");
        return reading;
    }
    [[nodiscard]] static std::int64_t raw(const Reading& reading) {
        return static_cast<std::int64_t>(std::uint64_t{reading[1]} << 32 | reading[0]);
    }
#else
    using Reading = std::array<std::int64_t, 1>;
    [[nodiscard]] static Reading look() {
        std::int64_t count = 0; // else never made: the constructor refuses
#if !defined(ICTUS_SIMULATED) && defined(__aarch64__)
        asm volatile("isb; mrs %0, cntvct_el0; isb" : "=r"(count)::"memory");
#endif
        return {count};
    }
    [[nodiscard]] static Reading glance() { return look(); }
    [[nodiscard]] static std::int64_t raw(const Reading& reading) { return reading[0]; }
#endif
    [[nodiscard]] static std::int64_t raw() { return raw(look()); }

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
