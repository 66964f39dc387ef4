// Whether the processor's counter is one for a whole host.
#pragma once

#include <istream>

namespace ictus {

/// Runs at one rate whatever the cores do, which is what the kernel asks for before it calls the counters of all cores
/// one clock. False where the machine does not tell.
[[nodiscard]] bool has_invariant_counter();

/// The same from the text of x86's /proc/cpuinfo: `constant_tsc` (in all states of frequency) and `nonstop_tsc` (in
/// sleep too). The kernel gives all processors of a host the same flags, so the first ones count.
[[nodiscard]] bool tells_invariant_counter(std::istream& cpuinfo);

} // namespace ictus
