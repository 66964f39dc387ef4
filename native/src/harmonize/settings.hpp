// The constants of MPIX_Harmonize, read from what its parameters (harmonize/parameters.hpp) were bound to.
#pragma once

#include "base/parameter.hpp"
#include "harmonize/expiry.hpp"
#include "harmonize/slack.hpp"

#include <optional>

namespace ictus::harmonize {

struct Settings {
    /// Throws a usage Error where two of them do not go together.
    explicit Settings(const Bound& bound);

    Bound clocksync;
    std::optional<double> start_slack_s; ///< none: measured
    SlackRule slack;
    std::optional<double> expiry_s; ///< none: by `expiry`
    ExpiryRule expiry;
    double tolerance_s;
    double spacing;
};

} // namespace ictus::harmonize
