// Repeated attempts of one start: each rank's counter before and after it.
#pragma once

#include "procsync/procsync.hpp"
#include "study/known_clock.hpp"
#include "workload/repetition.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ictus {

/// How the ranks enter at a common instant, and how far apart they may be.
struct Entrance {
    Transport& transport;
    GlobalClock& global_clock;
    KnownClock& clock;
    ProcSync& entry;
    double latency_s;   ///< for the preparation of starts, as an operation's latency
    double tolerance_s; ///< ranks that entered further apart did not enter together: one was taken off its core
};

/// One attempt on one rank, in readings of the counter beneath the clock: a reading gives the rank's own time and,
/// where all ranks read one counter, the true time.
struct ExitAttempt {
    std::int64_t entered = 0;
    std::int64_t left = 0;
    SampleFlags entry_flags = 0; ///< of all ranks together: late_flag where they did not enter together
    SampleFlags start_flags = 0; ///< likewise

    [[nodiscard]] bool is_valid() const { return entry_flags == 0 && start_flags == 0; }
};

/// Alike on all ranks.
struct AttemptCounts {
    explicit AttemptCounts(std::span<const ExitAttempt> attempts);

    std::uint64_t attempted;
    std::uint64_t late_entry = 0; ///< ranks did not enter together
    std::uint64_t missed = 0;     ///< they did, but the start reports that a rank missed its instant
    std::uint64_t valid = 0;

    /// A warning where the start `name` was never attempted.
    [[nodiscard]] std::optional<std::string> remark(const std::string& name) const;
};

/// Collective: `count` attempts, or fewer where the start ends the case. Each is a run of its own: a schedule that
/// was announced before the entry would be over after it.
[[nodiscard]] std::vector<ExitAttempt> attempt_exits(const Entrance& entrance, ProcSync& start, std::uint64_t count);

/// Collective: until `repetition` has enough valid attempts. A start that ends its case earlier is prepared again. It
/// is given up when that yields no attempt.
[[nodiscard]] std::vector<ExitAttempt> attempt_exits(const Entrance& entrance, ProcSync& start,
                                                     const Repetition& repetition);

} // namespace ictus
