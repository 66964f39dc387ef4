#include "core/skew.hpp"

#include <cmath>
#include <numbers>

namespace ictus {
namespace {

constexpr double segment_s = 0.01; // short against any span over which a drift is learnt

} // namespace

Skew::Skew(double offset, double drift, double wander, std::uint64_t seed)
    : offset_(offset), drift_(drift), wander_(wander), random_(seed), segments_{{0.0, 0.0}} {}

double Skew::apply(double t) {
    const double affine = offset_ + t + drift_ * t;
    if (wander_ == 0.0 || t <= 0.0) {
        return affine;
    }
    const auto index = static_cast<std::size_t>(t / segment_s);
    const Segment& at = segment(index);
    return affine + at.begin + at.rate * (t - static_cast<double>(index) * segment_s);
}

double Skew::invert(double x) {
    double t = (x - offset_) / (1.0 + drift_);
    if (t <= 0.0) {
        return 0.0;
    }
    // The wander's rate is of the order of parts per million, so each step of this iteration gains six digits.
    for (int i = 0; wander_ != 0.0 && i < 4; ++i) {
        t -= (apply(t) - x) / (1.0 + drift_);
    }
    return t;
}

const Skew::Segment& Skew::segment(std::size_t index) {
    while (segments_.size() <= index) {
        const Segment last = segments_.back();
        segments_.push_back(
            {last.begin + last.rate * segment_s, last.rate + wander_ * std::sqrt(segment_s) * normal()});
    }
    return segments_[index];
}

double Skew::normal() { // Box and Muller 1958; one of the pair is enough here
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random_.uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * random_.uniform());
}

} // namespace ictus
