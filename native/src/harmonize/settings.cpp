#include "harmonize/settings.hpp"

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "clocksync/clocksync.hpp"

namespace ictus::harmonize {
namespace {

std::optional<double> unless_auto(const Bound& bound, std::string_view parameter) {
    return bound.is_auto(parameter) ? std::nullopt : std::optional(bound.real(parameter));
}

} // namespace

HarmonizeSettings::HarmonizeSettings(const Bound& bound)
    : clocksync(bound.member("clocksync")), start_slack_s(unless_auto(bound, "slack")),
      slack{.growth = bound.real("growth"),
            .shrink = bound.real("shrink"),
            .run = bound.count("run"),
            .cap_s = bound.real("cap")},
      expiry_s(unless_auto(bound, "expiry")), expiry{.allowance_s = bound.real("tolerance")},
      tolerance_s(bound.real("tolerance")), spacing(bound.real("spacing")) {
    if (start_slack_s && *start_slack_s > slack.cap_s) {
        throw usage_error("harmonize: a slack of " + format_duration(*start_slack_s) + " is above its cap of " +
                          format_duration(slack.cap_s) + "; set a longer cap too");
    }
    if (!clocksync::registry().make(clocksync)->synchronises()) {
        throw usage_error("harmonize: clocksync 'none' gives no global time; take hca3-offset, ictus or another one");
    }
}

} // namespace ictus::harmonize
