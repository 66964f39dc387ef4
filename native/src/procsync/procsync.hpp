// Family procsync: how processes are started together before each repetition.
#pragma once

#include "base/registry.hpp"
#include "base/summary.hpp"
#include "base/time.hpp"
#include "transport/global_clock.hpp"

#include <optional>
#include <span>

namespace ictus {

struct ProcSyncContext {
    Transport& transport;
    GlobalClock& clock;
    bool synchronised; ///< whether `clock` is a global time at all
};

class ProcSync {
public:
    virtual ~ProcSync() = default;

    /// Collective, once a case. `latency_s` is the largest duration of a sample in the warm-ups, disturbed ones left
    /// out, the same on all ranks.
    virtual void prepare(double latency_s) { (void)latency_s; }
    /// Collective, before a run of repetitions.
    virtual void begin() {}
    /// Returns when this rank may start the next repetition: late_flag or 0; or over_flag, on all ranks before the same
    /// repetition, when it has ended the case.
    virtual SampleFlags start() = 0;
    /// After a call that ended at `end`: overrun_flag or 0.
    virtual SampleFlags finish(LocalTime end) {
        (void)end;
        return 0;
    }
    /// How many repetitions to make before the flags are combined, where the repetition still lacks `missing` valid
    /// samples; 0 ends the case. Most leave the number to the repetition. The same on all ranks.
    [[nodiscard]] virtual std::uint64_t next_batch(std::uint64_t missing) { return missing; }
    /// Whether it decides when a case is over, whatever the repetition says.
    [[nodiscard]] virtual bool ends_cases() const { return false; }
    /// Collective, after a batch: its flags, combined over the ranks. May add rejected_flag, alike on all ranks.
    virtual void judge(std::span<SampleFlags> flags) { (void)flags; }
    /// The common instant of the last start, if there is one.
    [[nodiscard]] virtual std::optional<GlobalTime> instant() const { return std::nullopt; }
    /// Waits until `seconds` after the common instant of the last start, by the clock that it was agreed on: `clock`
    /// where a start has none of its own.
    virtual void wait_after(double seconds, GlobalClock& clock) {
        clock.wait_until(instant().value_or(clock.now()) + seconds);
    }
    /// The window in force, NaN where there is none.
    [[nodiscard]] virtual double window_s() const { return undefined; }
};

using ProcSyncMember = Member<ProcSync, const ProcSyncContext&>;

namespace procsync {
[[nodiscard]] const Registry<ProcSync, const ProcSyncContext&>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace procsync

} // namespace ictus
