// One synchronisation on one rank, and the record of all ranks.
#pragma once

#include "clocksync/clocksync.hpp"
#include "study/accuracy.hpp"
#include "study/known_clock.hpp"

namespace ictus {

struct Trial {
    std::uint64_t repeat = 0;
    std::size_t algorithm = 0;
    Synchronised own;
    ClockModel root; ///< rank 0's model
    double elapsed_s = 0.0;
    std::uint64_t messages = 0;
    std::int64_t ended_counter = 0;                  ///< when the last rank had learnt, where the ranks share a counter
    ReferenceTime ended_root;                        ///< rank 0's local time then, or right after
    std::vector<std::optional<CheckedError>> checks; ///< per wait; absent where this rank was not checked
};

/// Collective: one synchronisation, its time and its messages. All ranks begin together. `shared` says that the ranks
/// read one counter, which then shows to the tick when the last of them had learnt.
[[nodiscard]] Trial synchronise(Transport& transport, KnownClock& clock, bool shared, const Bound& algorithm);

/// Collective: time, messages and models of all ranks.
[[nodiscard]] SynchronisationRecord record_of(LaunchContext& context, const Trial& trial);

/// Collective: computed, also for times that are still to come.
[[nodiscard]] KnownErrors known_errors(LaunchContext& context, KnownClock& clock, const Trial& trial,
                                       const std::vector<double>& waits_s);

/// Collective.
[[nodiscard]] CheckedErrors checked_errors(LaunchContext& context, const Trial& trial);

// When which synchronisation is checked by ping-pong. Rank 0 decides by its clock; one check serves all that is due.

class CheckSchedule {
public:
    /// The ranks and the plan outlive this object.
    CheckSchedule(Transport& transport, const std::vector<int>& ranks, const AccuracyPlan& plan)
        : transport_(transport), ranks_(ranks), plan_(plan) {}

    /// The next trial, at each of the plan's waits after its end.
    void add(Trial& trial);
    /// Collective: what is due by now. A check that became due while an algorithm synchronised is late; its time is
    /// recorded.
    void perform_due(std::vector<Trial>& trials);
    /// Collective: all that is left, each at its time.
    void perform_all(std::vector<Trial>& trials);

private:
    struct PendingCheck {
        ReferenceTime root_time;
        std::size_t trial;
        std::size_t wait;
    };

    Transport& transport_;
    const std::vector<int>& ranks_;
    const AccuracyPlan& plan_;
    std::size_t n_trials_ = 0;
    std::vector<PendingCheck> pending_; // the same on all ranks
};

} // namespace ictus
