#include "workload/repetition/checkpoints.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string>

namespace ictus::repetition {

Checkpoints::Checkpoints(const Bound& bound)
    : min_(bound.count("min")), max_(bound.count("max")), step_(bound.count("step")),
      max_attempts_(bound.is_auto("max_attempts") ? attempts_per_sample * max_ : bound.count("max_attempts")) {
    const std::string what = "repetition '" + std::string(bound.info().name) + "', parameter ";
    if (max_ < min_) {
        throw usage_error(what + "'max': " + std::to_string(max_) + " is below min, " + std::to_string(min_));
    }
    if (max_attempts_ < max_) {
        throw usage_error(what + "'max_attempts': " + std::to_string(max_attempts_) + " is below max, " +
                          std::to_string(max_));
    }
}

bool Checkpoints::is_at(std::uint64_t valid) const {
    return valid == max_ || (valid >= min_ && valid < max_ && (valid - min_) % step_ == 0);
}

std::uint64_t Checkpoints::next_batch(const Standing& standing) const {
    const std::uint64_t valid = standing.valid;
    if (valid >= max_ || standing.attempted >= max_attempts_) {
        return 0;
    }
    const std::uint64_t next = valid < min_ ? min_ : std::min(max_, min_ + ((valid - min_) / step_ + 1) * step_);
    return std::min(next - valid, max_attempts_ - standing.attempted);
}

std::uint64_t LooksAtLatencies::next_batch(const Standing& standing) const {
    return has_enough_ ? 0 : checkpoints_.next_batch(standing);
}

void LooksAtLatencies::take(std::span<const double> latencies) {
    for (const double latency_s : latencies) {
        add(latency_s);
        ++taken_;
        has_enough_ = has_enough_ || (checkpoints_.is_at(taken_) && is_enough());
    }
}

} // namespace ictus::repetition
