// Whether these sources are built for SimGrid's SMPI: the ranks are threads of one process, their time is simulated and
// stands still while they compute. What the machine says of itself is then not true of them.
#pragma once

namespace ictus {

#if defined(ICTUS_SIMULATED)
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

} // namespace ictus
