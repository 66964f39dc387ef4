// What a simulated MPI changes, and the defaults that ictus-bench and libictus share.
#pragma once

#include <string_view>

namespace ictus {

// Whether these sources are built for SimGrid's SMPI: the ranks are threads of one process, their time is simulated and
// stands still while they compute. What the machine says of itself is then not true of them.

#if defined(ICTUS_SIMULATED)
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

namespace defaults {

inline constexpr std::string_view clock = is_simulated ? "wtime" : "tsc"; ///< a simulator governs no counter
inline constexpr std::string_view clocksync = "ictus";

} // namespace defaults

} // namespace ictus
