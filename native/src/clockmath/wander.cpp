#include "clockmath/wander.hpp"

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
    place(0) = {0.0, 0.0};
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
    return place(index);
}

void Wander::draw_up_to(std::size_t index) {
    while (drawing_.test_and_set(std::memory_order_acquire)) { // held for as long as it takes to draw a few numbers
    }
    for (std::size_t i = drawn_.load(std::memory_order_relaxed); i <= index; ++i) {
        const Segment last = place(i - 1);
        place(i) = {last.begin + last.rate * segment_s, last.rate + strength_ * std::sqrt(segment_s) * normal()};
        drawn_.store(i + 1, std::memory_order_release);
    }
    drawing_.clear(std::memory_order_release);
}

/// Room is made only by the one who draws; a reader asks for what has been drawn.
Wander::Segment& Wander::place(std::size_t index) {
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

} // namespace ictus
