// What `loop` and `loop-barrier` are told alike.
#pragma once

#include "base/parameter.hpp"

namespace ictus::scheme {

inline constexpr Parameter calls_parameter = {.name = "calls",
                                              .type = Parameter::Type::count,
                                              .default_value = "100",
                                              .help = "calls of a loop, which is one sample: the time per call",
                                              .minimum = 1,
                                              .maximum = 1e6};

} // namespace ictus::scheme
