#include "clockmath/skew.hpp"

#include "base/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace ictus {
namespace {

constexpr double segment_s = 0.01; // short against any span over which a drift is learnt
constexpr std::size_t first_chunk = 1024;

constexpr std::size_t chunk_of(std::size_t index) {
    return static_cast<std::size_t>(std::bit_width(index / first_chunk + 1)) - 1;
}
constexpr std::size_t chunk_size(std::size_t chunk) { return first_chunk << chunk; }
constexpr std::size_t chunk_begin(std::size_t chunk) { return chunk_size(chunk) - first_chunk; }

std::size_t segment_at(double t) { return static_cast<std::size_t>(t / segment_s); }

} // namespace

Wander::Wander(double strength, std::uint64_t seed, std::pmr::memory_resource* memory)
    : strength_(strength), random_(seed), memory_(memory) {
    slot(0) = {0.0, 0.0};
    drawn_.store(1, std::memory_order_release);
}

Wander::~Wander() {
    for (std::size_t i = 0; i < n_chunks; ++i) {
        if (Segment* const chunk = chunks_[i].load(std::memory_order_relaxed)) {
            memory_->deallocate(chunk, chunk_size(i) * sizeof(Segment), alignof(Segment));
        }
    }
}

double Wander::operator()(double t) {
    const std::size_t index = segment_at(t);
    const Segment& at = segment(index);
    return at.begin + at.rate * (t - static_cast<double>(index) * segment_s);
}

bool Wander::knows(double t) const noexcept { return segment_at(t) < drawn_.load(std::memory_order_acquire); }

const Wander::Segment& Wander::segment(std::size_t index) {
    if (index >= drawn_.load(std::memory_order_acquire)) {
        draw_up_to(index);
    }
    return slot(index);
}

void Wander::draw_up_to(std::size_t index) {
    while (drawing_.test_and_set(std::memory_order_acquire)) { // held only while a few numbers are drawn
    }
    for (std::size_t i = drawn_.load(std::memory_order_relaxed); i <= index; ++i) {
        const Segment last = slot(i - 1);
        slot(i) = {last.begin + last.rate * segment_s, last.rate + strength_ * std::sqrt(segment_s) * normal()};
        drawn_.store(i + 1, std::memory_order_release);
    }
    drawing_.clear(std::memory_order_release);
}

/// Only the thread that draws allocates; readers ask for drawn segments.
Wander::Segment& Wander::slot(std::size_t index) {
    const std::size_t number = chunk_of(index);
    Segment* chunk = chunks_[number].load(std::memory_order_relaxed);
    if (chunk == nullptr) {
        chunk = static_cast<Segment*>(memory_->allocate(chunk_size(number) * sizeof(Segment), alignof(Segment)));
        chunks_[number].store(chunk, std::memory_order_relaxed);
    }
    return chunk[index - chunk_begin(number)];
}

double Wander::normal() { // Box and Muller 1958; one of the pair is enough here
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random_.uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * random_.uniform());
}

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

SkewDraw draw_skew(const Bound& bound, std::uint64_t owner) {
    SplitMix64 random(SplitMix64::mix(bound.count("seed")) + owner);
    SkewDraw draw;
    draw.offset_s = (2.0 * random.uniform() - 1.0) * bound.real("offset");
    draw.drift = (2.0 * random.uniform() - 1.0) * bound.real("drift");
    draw.wander = bound.real("wander");
    draw.wander_seed = random.next();
    return draw;
}

} // namespace ictus
