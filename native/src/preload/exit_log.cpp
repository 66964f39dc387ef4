#include "preload/exit_log.hpp"

namespace ictus {

void ExitLog::close() {
    ticks_.resize(kept_);
    ticks_.shrink_to_fit();
    flags_.resize(kept_);
    flags_.shrink_to_fit();
}

void ExitLog::thin() {
    const std::uint64_t left = (kept_ + 1) / 2;
    for (std::uint64_t i = 0; i < left; ++i) {
        ticks_[i] = ticks_[2 * i];
        flags_[i] = flags_[2 * i];
    }
    kept_ = left;
    stride_ *= 2;
}

} // namespace ictus
