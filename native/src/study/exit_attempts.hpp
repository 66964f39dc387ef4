// Entering one start again and again: what each rank's counter shows before and after.
#pragma once

#include "procsync/procsync.hpp"
#include "study/known_clock.hpp"
#include "workload/repetition.hpp"

#include <vector>

namespace ictus {

/// How the ranks come to a common instant, and by what it is judged whether they did.
struct Entrance {
    Transport& transport;
    GlobalClock& global_clock;
    KnownClock& clock;
    ProcSync& entry;
    double latency_s;   ///< what starts are prepared with in place of an operation's latency
    double tolerance_s; ///< ranks that entered further apart did not enter together: one was taken off its core
};

/// One attempt on one rank. Readings of the counter beneath the clock: the same reading tells the rank's own time and,
/// where all read one counter, the truth.
struct ExitAttempt {
    std::int64_t entered = 0;
    std::int64_t left = 0;
    SampleFlags entry_flags = 0; ///< of all ranks together: late_flag where they did not enter together
    SampleFlags start_flags = 0; ///< likewise
};

/// Collective: `count` attempts, or fewer where the start ends the case. Each is a run of its own, for a schedule that
/// was announced before the entry would be over after it.
[[nodiscard]] std::vector<ExitAttempt> attempt_exits(const Entrance& entrance, ProcSync& start, std::uint64_t count);

/// Collective: until `repetition` has as many valid attempts as it wants. A start that ends its case before is prepared
/// again, and given up when that does not bring a single attempt.
[[nodiscard]] std::vector<ExitAttempt> attempt_exits(const Entrance& entrance, ProcSync& start,
                                                     const Repetition& repetition);

} // namespace ictus
