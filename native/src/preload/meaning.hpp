// What a barrier of another program means when a process synchronisation takes its place. A benchmark of ours knows the
// case that it measures; a barrier in a foreign program knows neither how long the call behind it takes nor how often
// it will come again. What rests on either has no meaning there and is refused.
#pragma once

#include "base/parameter.hpp"

namespace ictus::preload {

/// How a member of family procsync does a barrier's work.
struct Meaning {
    std::string_view procsync;
    bool holds;               ///< no process leaves before all have arrived, as MPI promises of a barrier
    bool has_deadlines;       ///< whether a start can be missed
    bool needs_global_time;   ///< of the communicator; others have none or one of their own
    std::string_view refusal; ///< why it has no meaning; empty where it has one
};

/// Of a procsync with all that is nested in it. Throws a usage Error for what cannot take the place of a barrier.
[[nodiscard]] const Meaning& meaning_of(const Bound& procsync);

/// Whether it can start so few processes: a pattern may name a rank that a small communicator lacks.
[[nodiscard]] bool fits(const Bound& procsync, int n_ranks);

} // namespace ictus::preload
