// Family clock: where local time is read. The same clock serves for synchronisation and measurement, and the
// output names it.
#pragma once

#include "base/registry.hpp"
#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ictus {

/// What a clock may need when it is made.
struct ClockContext {
    int rank = 0;
    int host = 0;              ///< index of the host, for skews that are common to a host
    double frequency_hz = 0.0; ///< the frequency that the first rank of the host decided; 0: decide it here
    std::optional<std::int64_t> epoch = std::nullopt; ///< the host's first rank's, so that one counter shows one time
    bool yields = false; ///< give the core away while waiting: only when our own ranks outnumber the cores
};

class Clock {
public:
    virtual ~Clock() = default;
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

    /// Ticks since the epoch. The timed window reads the concrete clock inline instead (clock/visit.hpp).
    [[nodiscard]] virtual Ticks now() = 0;
    /// Returns at the first reading that is not before `instant`: the only place in Ictus that loops on time.
    virtual void wait_until(Ticks instant) = 0;

    [[nodiscard]] virtual double frequency_hz() const = 0;
    /// How the frequency is known: `nominal (cpuid)`, `calibrated`, `defined`, ...
    [[nodiscard]] virtual std::string frequency_source() const = 0;
    /// The counter's reading that counts as zero; of a skewed clock its base's. Ranks that share a counter share it.
    [[nodiscard]] virtual std::int64_t epoch() const = 0;
    /// Whether all ranks of a host are expected to read one counter. A claim that is verified by measurements.
    [[nodiscard]] virtual bool is_common_to_host() const { return true; }

    [[nodiscard]] LocalTime to_local(Ticks ticks) const {
        return LocalTime(static_cast<double>(ticks.count) / frequency_hz());
    }
    /// The first tick that is not before `time`.
    [[nodiscard]] Ticks to_ticks(LocalTime time) const;
};

using ClockMember = Member<Clock, const ClockContext&>;

namespace clock {
[[nodiscard]] const Registry<Clock, const ClockContext&>& registry();
[[nodiscard]] const FamilyInfo& family();
/// Properties of the readings, over a few thousand of them, in seconds.
struct ClockResolution {
    double resolution_s = 0.0; ///< the shortest step between two readings that differ
    double reading_s = 0.0;    ///< what one reading costs: median over short runs, read inline as in the timed window
};
[[nodiscard]] ClockResolution measure_resolution(Clock& clock);
} // namespace clock

} // namespace ictus
