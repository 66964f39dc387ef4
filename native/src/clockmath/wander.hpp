// A random walk of a clock's drift, drawn as far as it is asked for and never changed again. Any number of threads may
// ask at once: what is drawn is read without a lock.
#pragma once

#include "base/random.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace ictus {

class Wander {
public:
    /// `strength`: standard deviation of the change of drift over one second (ratio per root second).
    Wander(double strength, std::uint64_t seed, std::pmr::memory_resource* memory);
    ~Wander();
    Wander(const Wander&) = delete;
    Wander& operator=(const Wander&) = delete;

    /// By how much the clock has wandered at time t > 0, seconds.
    [[nodiscard]] double operator()(double t);
    /// Whether that is drawn already.
    [[nodiscard]] bool knows(double t) const noexcept;

private:
    /// The drift changes from one segment to the next; what the clock shows is its integral.
    struct Segment {
        double begin; ///< accumulated wander at the begin of the segment, seconds
        double rate;  ///< drift by wander inside the segment
    };
    [[nodiscard]] const Segment& segment(std::size_t index);
    void draw_up_to(std::size_t index);
    [[nodiscard]] Segment& place(std::size_t index);
    [[nodiscard]] double normal();

    // Chunk k has room for twice as many segments as chunk k - 1, and stays where it is.
    static constexpr std::size_t n_chunks = 40;
    double strength_;
    SplitMix64 random_;
    std::pmr::memory_resource* memory_;
    std::array<std::atomic<Segment*>, n_chunks> chunks_{};
    std::atomic<std::size_t> drawn_ = 0;
    std::atomic_flag drawing_ = ATOMIC_FLAG_INIT;
};

} // namespace ictus
