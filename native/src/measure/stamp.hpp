// What one rank keeps of one repetition. Stamps stay local ticks until the block is closed and its clocks are known at
// both ends.
#pragma once

#include "base/sample_flag.hpp"
#include "base/time.hpp"

namespace ictus {

struct Stamp {
    Ticks start;
    Ticks end;
    SampleFlags flags = 0;
};

} // namespace ictus
