#include "clockmath/skew.hpp"

#include "clockmath/wander.hpp"

namespace ictus {

Skew::Skew(double offset, double drift, double wander, std::uint64_t seed, std::pmr::memory_resource* memory)
    : offset_(offset), drift_(drift),
      wander_(wander == 0.0 ? nullptr : std::make_shared<Wander>(wander, seed, memory)) {}

double Skew::apply(double t) const {
    const double affine = offset_ + t + drift_ * t;
    return wander_ && t > 0.0 ? affine + (*wander_)(t) : affine;
}

double Skew::invert(double x) const {
    double t = (x - offset_) / (1.0 + drift_);
    if (t <= 0.0) {
        return 0.0;
    }
    // The wander's rate is of the order of parts per million, so each step of this iteration gains six digits.
    for (int i = 0; wander_ && i < 4; ++i) {
        t -= (apply(t) - x) / (1.0 + drift_);
    }
    return t;
}

bool Skew::knows(double t) const noexcept { return !wander_ || t <= 0.0 || wander_->knows(t); }

} // namespace ictus
