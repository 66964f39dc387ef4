#include "harmonize/rules.hpp"

#include <algorithm>

namespace ictus {

LocalTime expiry_of(const ErrorBound& bound, LocalTime now, const ExpiryRule& rule) {
    const LocalTime latest = now + rule.longest_s;
    const double permitted = bound(now) + rule.allowance_s;
    if (std::isnan(bound(latest)) || std::isnan(permitted)) {
        return now + rule.otherwise_s;
    }
    if (bound(latest) <= permitted) {
        return latest;
    }
    LocalTime early = now; // permitted still
    LocalTime late = latest;
    while (late - early > 1e-6 * rule.longest_s) {
        const LocalTime middle = midpoint(early, late);
        (bound(middle) <= permitted ? early : late) = middle;
    }
    return early;
}

namespace {

constexpr double least_of_all_s = 1e-9; // nothing times a factor is nothing

} // namespace

Slack::Slack(const SlackRule& rule, double start_s, double least_s)
    : rule_(rule), least_s_(std::min(std::max(least_s, least_of_all_s), rule.cap_s)),
      value_s_(std::clamp(start_s, least_s_, rule.cap_s)) {}

void Slack::met() {
    if (++met_ == rule_.run) {
        stalled();
    }
}

void Slack::stalled() {
    met_ = 0;
    value_s_ = std::max(value_s_ * rule_.shrink, least_s_);
}

void Slack::missed() {
    met_ = 0;
    value_s_ = std::min(value_s_ * rule_.growth, rule_.cap_s);
}

} // namespace ictus
