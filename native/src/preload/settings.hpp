// The settings from environment variables, and the communicators that they apply to.
#pragma once

#include "base/parameter.hpp"

#include <cstdint>
#include <mpi.h>
#include <string>

namespace ictus::preload {

// A process synchronisation in the place of another program's barrier. Our benchmark knows the case that it measures. A
// barrier in another program knows neither how long the next call takes nor how many barriers follow. A procsync that
// needs either is refused.

/// How a member of family procsync does a barrier's work.
struct BarrierSemantics {
    std::string_view procsync;
    bool holds;               ///< no process leaves before all have arrived, as MPI promises of a barrier
    bool has_deadlines;       ///< whether a start can be missed
    bool needs_global_time;   ///< of the communicator; others have none or one of their own
    std::string_view refusal; ///< why it has no meaning; empty where it has one
};

/// Of a procsync, including nested ones. Throws a usage Error for one that cannot replace a barrier.
[[nodiscard]] const BarrierSemantics& semantics_of(const Bound& procsync);

/// Whether it can start this few processes: a pattern may name a rank that a small communicator lacks.
[[nodiscard]] bool fits(const Bound& procsync, int n_ranks);

/// The environment variables of libictus-preload.
struct PreloadSettings {
    std::string procsync; ///< full form
    std::string given;    ///< as it was written
    BarrierSemantics semantics{};
    std::string clocksync; ///< of each communicator's global time; `none` where the procsync needs none
    std::string clock;
    std::string log; ///< folder; empty: exits are not logged
    std::uint64_t log_limit = 0;
    std::string report;        ///< file; empty: a line on standard error
    std::uint64_t n_ranks = 0; ///< that were requested; 0: not known
};

/// From the environment. Throws a usage Error that names variable, value and what is allowed.
[[nodiscard]] PreloadSettings read_settings();

/// One text of all settings that must be the same on all ranks.
[[nodiscard]] std::string fingerprint(const PreloadSettings& settings);

/// Local, and the same on all processes of `comm`. Not: between two groups, which have no common start; beyond
/// MPI_COMM_WORLD, where processes may not be loaded with this library; and where the procsync wants more ranks.
[[nodiscard]] bool is_within_reach(MPI_Comm comm, const PreloadSettings& settings);

} // namespace ictus::preload
