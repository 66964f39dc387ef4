// Shared by the operations that keep several messages under way: how many, which is also the number of their blocks.
#pragma once

#include "base/parameter.hpp"

namespace ictus::operation {

inline constexpr Parameter window_parameter = {.name = "window",
                                               .type = Parameter::Type::count,
                                               .default_value = "64",
                                               .help = "messages under way in each direction",
                                               .minimum = 1,
                                               .maximum = 4096};

[[nodiscard]] inline int window_blocks(const Bound& bound, int /*n_ranks*/) {
    return static_cast<int>(bound.count("window"));
}

} // namespace ictus::operation
