// A random walk of a clock's drift. It is drawn as far as it is needed and never changes again. Any number of threads
// may read it at once, without a lock.
#pragma once

#include "base/parameter.hpp"
#include "base/random.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>

namespace ictus {

class Wander {
public:
    /// `strength`: standard deviation of the change of drift over one second (ratio per root second).
    Wander(double strength, std::uint64_t seed, std::pmr::memory_resource* memory);
    ~Wander();
    Wander(const Wander&) = delete;
    Wander& operator=(const Wander&) = delete;

    /// How far the clock has wandered at time t > 0, seconds.
    [[nodiscard]] double operator()(double t);
    /// Whether that is drawn already.
    [[nodiscard]] bool knows(double t) const noexcept;

private:
    /// The drift changes from one segment to the next; the wander is its integral.
    struct Segment {
        double begin; ///< accumulated wander at the begin of the segment, seconds
        double rate;  ///< drift by wander inside the segment
    };
    [[nodiscard]] const Segment& segment(std::size_t index);
    void draw_up_to(std::size_t index);
    [[nodiscard]] Segment& slot(std::size_t index);
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

// A known distortion of a clock: offset, drift and random-walk wander, seeded. Ground truth for every clock algorithm,
// on real clocks (clock/skewed), in simulated worlds, and under programs of others (skew/).

/// Copies share their wander. Any number of threads may use it at once.
class Skew {
public:
    /// offset in seconds, drift a plain ratio above -1, wander the standard deviation of the change of drift over one
    /// second (ratio per root second).
    Skew(double offset, double drift, double wander, std::uint64_t seed,
         std::pmr::memory_resource* memory = std::pmr::get_default_resource());

    /// What the skewed clock shows at true time t; it wanders from t = 0 on.
    [[nodiscard]] double apply(double t) const;
    /// The true time at which the skewed clock shows x; 0 if it never shows so little.
    [[nodiscard]] double invert(double x) const;
    /// Whether apply(t) needs no further random numbers, and so neither memory nor a lock.
    [[nodiscard]] bool knows(double t) const noexcept;

private:
    double offset_;
    double drift_;
    std::shared_ptr<Wander> wander_; // none without wander
};

// Skews of ranks or hosts, drawn from a few limits and a seed: clock `skewed` and the preload shim draw the same from
// one text.

/// The true skew of one clock.
struct SkewDraw {
    double offset_s = 0.0;
    double drift = 0.0;  ///< a plain ratio
    double wander = 0.0; ///< ratio per root second
    std::uint64_t wander_seed = 0;

    [[nodiscard]] Skew skew(std::pmr::memory_resource* memory = std::pmr::get_default_resource()) const {
        return {offset_s, drift, wander, wander_seed, memory};
    }
};

/// The draw of `owner`, a rank or a host, from the parameters below.
[[nodiscard]] SkewDraw draw_skew(const Bound& bound, std::uint64_t owner);

namespace skew_parameter {

inline constexpr Parameter offset = {.name = "offset",
                                     .type = Parameter::Type::duration,
                                     .default_value = "1s",
                                     .help = "offsets are uniform in plus or minus this",
                                     .minimum = 0,
                                     .maximum = 1e6};
inline constexpr Parameter drift = {.name = "drift",
                                    .type = Parameter::Type::rate,
                                    .default_value = "20ppm",
                                    .help = "drifts are uniform in plus or minus this",
                                    .minimum = 0,
                                    .maximum = 0.01};
inline constexpr Parameter wander = {.name = "wander",
                                     .type = Parameter::Type::rate,
                                     .default_value = "0",
                                     .help = "standard deviation of the change of drift over one second (random walk)",
                                     .minimum = 0,
                                     .maximum = 0.001};
inline constexpr Parameter scope = {.name = "scope",
                                    .type = Parameter::Type::choice,
                                    .default_value = "rank",
                                    .help = "whether each rank or each host has a skew of its own",
                                    .choices = "rank host"};
inline constexpr Parameter seed = {.name = "seed",
                                   .type = Parameter::Type::count,
                                   .default_value = "1",
                                   .help = "decides all offsets, drifts and wanders"};

} // namespace skew_parameter

} // namespace ictus
