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
     .help = "from announcing a deadline to it, at first and at least; auto: twice what a broadcast takes",
     .minimum = 1e-9,
     .maximum = 3600,
     .allows_auto = true},
    {.name = "growth",
     .type = Parameter::Type::real,
     .default_value = "1.5",
     .help = "factor of the slack after a deadline that was missed for want of slack",
     .minimum = 1,
     .maximum = 100},
    {.name = "shrink",
     .type = Parameter::Type::real,
     .default_value = "0.9",
     .help = "factor of the slack after a run of deadlines that all ranks met, and after a stall",
     .minimum = 0.01,
     .maximum = 1},
    {.name = "run",
     .type = Parameter::Type::count,
     .default_value = "10",
     .help = "length of that run",
     .minimum = 1,
     .maximum = 1e9},
    {.name = "cap",
     .type = Parameter::Type::duration,
     .default_value = "1ms",
     .help = "the slack is never longer",
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
     .help =
         "age at which clocks are synchronised anew; auto: when their proven bound has grown by `tolerance`, at most "
         "60 s; 1 s where nothing is proven",
     .minimum = 0,
     .maximum = 1e9,
     .allows_auto = true},
    {.name = "tolerance",
     .type = Parameter::Type::duration,
     .default_value = "1us",
     .help = "how far off a start may be: the clocks' proven bound may grow by so much, and a rank that wakes up later "
             "than that after the deadline has missed it",
     .minimum = 1e-9,
     .maximum = 1},
    {.name = "spacing",
     .type = Parameter::Type::real,
     .default_value = "10",
     .help = "after a missed deadline the clocks are synchronised anew, unless the last synchronisation is less than "
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
