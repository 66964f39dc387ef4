// One synchronisation on one rank, its record of all ranks, and when it is checked.
#pragma once

#include "clocksync/clocksync.hpp"
#include "study/known_clock.hpp"
#include "study/ping_pong_check.hpp"
#include "study/study.hpp"

#include <optional>

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

/// Of all ranks; complete on rank 0 only.
struct TrialRecord {
    std::uint64_t repeat = 0;
    std::size_t algorithm = 0;
    double elapsed_s = 0.0;
    std::uint64_t messages = 0;
    std::vector<RankNumbers> model;
    /// Where the merged model of each rank lies, at the confidence of its edges (clockmath/merged_model); absent where
    /// models are not merged.
    std::optional<std::vector<RankNumbers>> confidence;
    std::vector<double> known_at_s; ///< per wait: seconds of the shared counter since rank 0's epoch
    /// Errors and bounds per wait, of each rank: true ones, ...
    std::optional<std::vector<RankNumbers>> known;
    /// ... and checked ones, NaN for ranks that were not checked.
    std::optional<std::vector<RankNumbers>> ping_pong;
};

/// Collective: time, messages and models of all ranks.
[[nodiscard]] TrialRecord record_of(LaunchContext& context, const Trial& trial);

/// Collective: computes the true errors, also for times that are still to come.
void add_known_errors(TrialRecord& record, LaunchContext& context, KnownClock& clock, const Trial& trial,
                      const std::vector<double>& waits_s);

/// Collective.
void add_checked_errors(TrialRecord& record, LaunchContext& context, const Trial& trial);

// When which synchronisation is checked by ping-pong. Rank 0 decides by its clock; one check serves all that is due.

class CheckSchedule {
public:
    /// All of them outlive this object. `waits_s`: how long after the end of a trial it is checked.
    CheckSchedule(Transport& transport, const std::vector<int>& ranks, const std::vector<double>& waits_s,
                  const PingPongSettings& settings)
        : transport_(transport), ranks_(ranks), waits_s_(waits_s), settings_(settings) {}

    /// The next trial.
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
    const std::vector<double>& waits_s_;
    const PingPongSettings& settings_;
    std::size_t n_trials_ = 0;
    std::vector<PendingCheck> pending_; // the same on all ranks
};

} // namespace ictus
