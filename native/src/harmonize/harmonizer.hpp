// Starts the ranks of a transport together in space and in time: all have arrived, and all go on at one instant.
// Schuchart, Hunold and Bosilca 2023, algorithm 1; harmonize.md lists the differences and their reasons.
//
// Each call: an own reduction of flags to rank 0 (who missed the last deadline, whose clock has expired), and an own
// broadcast of a deadline, or of the order to synchronise clocks, after which the deadline is broadcast. The cost:
// 2 ceil(log2 p) messages one after the other, and the slack.
#pragma once

#include "clocksync/clocksync.hpp"
#include "harmonize/rules.hpp"
#include "harmonize/settings.hpp"
#include "transport/global_clock.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace ictus {

class Harmonizer {
public:
    Harmonizer(Transport& transport, const harmonize::HarmonizeSettings& settings);

    /// Collective: synchronises the clocks and finds the first slack. meet() calls it if nobody has.
    void prepare();
    /// Collective: returns once all ranks have arrived, at one instant on all of them. False on a rank that could not
    /// go on at that instant; each rank knows only its own result.
    [[nodiscard]] bool meet();

    /// Local: waits until `seconds` after the instant at which all ranks were to go on last, however late this one was.
    void wait_after(double seconds) { clock_.wait_until(instant_ + seconds); }

    /// The global time, rank 0's, by the last synchronisation.
    [[nodiscard]] GlobalClock& clock() { return clock_; }
    /// How far that may be from rank 0's, seconds; NaN where nothing is proven.
    [[nodiscard]] double bound(LocalTime local) const { return bound_(local); }

    /// Counts of this rank so far.
    struct Statistics {
        std::uint64_t calls = 0;
        /// Deadlines that had passed before this rank could wait for them, or so far off that its clock was wrong.
        std::uint64_t missed = 0;
        std::uint64_t overslept = 0; ///< deadlines that passed while this rank waited and did not have its core
        std::uint64_t synchronisations = 0;
        double synchronising_s = 0.0;
        double slack_s = 0.0; ///< of the last call
        double largest_slack_s = 0.0;
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

private:
    using Flags = std::uint8_t;
    /// What rank 0 announces: its kind is never coded as an impossible time.
    enum class AnnouncementKind : std::uint64_t { deadline = 1, synchronise = 2 };
    struct Announcement {
        AnnouncementKind kind = AnnouncementKind::deadline;
        GlobalTime deadline;
        double slack_s = 0.0;
    };

    [[nodiscard]] Flags own_flags();
    [[nodiscard]] Flags gather(Flags own);
    [[nodiscard]] Announcement decide(Flags all);
    [[nodiscard]] Announcement next_deadline();
    [[nodiscard]] Announcement announce(const Announcement& roots);
    [[nodiscard]] bool await(const Announcement& announced);
    [[nodiscard]] Flags flags_of_miss(LocalTime heard, const Announcement& announced);
    [[nodiscard]] Flags flags_of_right_clock();
    void rehearse();
    void synchronise();
    struct BroadcastTimes {
        double mean_s = 0.0;
        double least_s = 0.0;
    };
    [[nodiscard]] BroadcastTimes broadcast_times();

    Transport& transport_;
    harmonize::HarmonizeSettings settings_;
    std::unique_ptr<ClockSync> clocksync_;
    GlobalClock clock_;
    ErrorBound bound_;
    Slack slack_; ///< rank 0's
    Statistics statistics_;
    GlobalTime instant_;     ///< at which all ranks were to go on last
    LocalTime synchronised_; ///< when the last synchronisation ended
    double took_s_ = 0.0;    ///< how long it took
    LocalTime expires_;
    LocalTime trusted_until_;  ///< until then this rank's clock cannot have drifted by the tolerance
    double tolerance_s_ = 0.0; ///< the setting, at least two steps of the clock
    Flags last_ = 0;           ///< how this rank fared at the last deadline
    /// A miss that may be the clock's fault: the next synchronisation judges it again.
    struct DoubtfulMiss {
        LocalTime heard;
        GlobalTime deadline;
    };
    std::optional<DoubtfulMiss> doubtful_miss_;
    bool prepared_ = false;
};

} // namespace ictus
