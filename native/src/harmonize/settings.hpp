// The parameters of MPIX_Harmonize and procsync `harmonize`: one table for the command line, info keys and environment.
#pragma once

#include "base/parameter.hpp"
#include "clocksync/clocksync.hpp"
#include "harmonize/rules.hpp"

#include <optional>

namespace ictus::harmonize {

inline constexpr Parameter parameters[] = {
    {.name = "slack",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "time from the announcement of a deadline to the deadline: the first value and the smallest; auto: twice "
             "the latency of a broadcast",
     .minimum = 1e-9,
     .maximum = 3600,
     .allows_auto = true},
    {.name = "growth",
     .type = Parameter::Type::real,
     .default_value = "1.5",
     .help = "the slack is multiplied by this after a deadline that was missed because the slack was too short",
     .minimum = 1,
     .maximum = 100},
    {.name = "shrink",
     .type = Parameter::Type::real,
     .default_value = "0.9",
     .help = "the slack is multiplied by this after a run of deadlines that all ranks met, and after a stall",
     .minimum = 0.01,
     .maximum = 1},
    {.name = "run",
     .type = Parameter::Type::count,
     .default_value = "10",
     .help = "number of deadlines in such a run",
     .minimum = 1,
     .maximum = 1e9},
    {.name = "cap",
     .type = Parameter::Type::duration,
     .default_value = "1ms",
     .help = "longest slack",
     .minimum = 1e-9,
     .maximum = 3600},
    {.name = "clocksync",
     .type = Parameter::Type::member,
     .default_value = "hca3-offset",
     .help = "how the clocks of the communicator are synchronised",
     .family = &clocksync::family},
    {.name = "expiry",
     .type = Parameter::Type::duration,
     .default_value = "auto",
     .help = "age at which clocks are synchronised again; auto: when their proven bound has grown by `tolerance`, at "
             "most 60 s; 1 s where nothing is proven",
     .minimum = 0,
     .maximum = 1e9,
     .allows_auto = true},
    {.name = "tolerance",
     .type = Parameter::Type::duration,
     .default_value = "1us",
     .help = "how far off a start may be: the clocks' proven bound may grow by this much, and a rank that wakes up "
             "later than this after the deadline has missed it",
     .minimum = 1e-9,
     .maximum = 1},
    {.name = "spacing",
     .type = Parameter::Type::real,
     .default_value = "10",
     .help = "after a missed deadline the clocks are synchronised again, unless the last synchronisation was less than "
             "this many times its own duration ago; 0: always",
     .minimum = 0,
     .maximum = 1e9},
};

// The settings of MPIX_Harmonize, read from its bound parameters.

struct HarmonizeSettings {
    /// Throws a usage Error where two of them do not go together.
    explicit HarmonizeSettings(const Bound& bound);

    Bound clocksync;
    std::optional<double> start_slack_s; ///< none: measured
    SlackRule slack;
    std::optional<double> expiry_s; ///< none: by `expiry`
    ExpiryRule expiry;
    double tolerance_s;
    double spacing;
};

} // namespace ictus::harmonize
