// How skews are drawn for each rank or host from a few limits and a seed: the same draw for clock `skewed` and for the
// preload shim, so that one text means one truth.
#pragma once

#include "base/parameter.hpp"
#include "clockmath/skew.hpp"

namespace ictus {

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
