// The two rules of MPIX_Harmonize: how long a global clock is valid, and how far ahead a deadline is.
#pragma once

#include "clockmath/error_bound.hpp"

#include <cstdint>

namespace ictus {

// How long a global clock is valid after a synchronisation.

struct ExpiryRule {
    double allowance_s = 1e-6; ///< by which a proven bound may grow
    double otherwise_s = 1.0;  ///< lifetime where nothing is proven of later times
    double longest_s = 60.0;   ///< longest lifetime: a bound rests on assumptions
};

/// The local time from `now` on at which a clock with this bound should be synchronised anew.
[[nodiscard]] LocalTime expiry_of(const ErrorBound& bound, LocalTime now, const ExpiryRule& rule);

// The slack of MPIX_Harmonize: the time from announcing a deadline to the deadline. If it is too short, ranks miss the
// deadline; if it is too long, every call takes that long. So it grows when a rank was a little late. It shrinks when
// no rank was late for a while, and when a rank lost its core: longer calls meet more stalls.

struct SlackRule {
    double growth = 1.5;    ///< factor after a deadline that was missed by too little slack, at least 1
    double shrink = 0.9;    ///< factor after a run of deadlines that were met, and after a stall; at most 1
    std::uint64_t run = 10; ///< length of that run
    double cap_s = 1e-3;    ///< the slack is never longer
};

class Slack {
public:
    /// It never shrinks below `least_s`, the time of an undisturbed broadcast, and never exceeds the cap.
    Slack(const SlackRule& rule, double start_s, double least_s);

    [[nodiscard]] double value_s() const { return value_s_; }
    /// All ranks met the last deadline.
    void met();
    /// A rank missed the last deadline, and would have met it with a longer slack.
    void missed();
    /// A rank missed the last deadline, and no slack would have helped.
    void stalled();

    /// Whether a permitted slack would have been enough for a rank that was `late_s` after a deadline. For a rank that
    /// was suspended longer, no slack helps: a longer one makes every call slower and more likely to be hit.
    [[nodiscard]] static bool could_have_met(double late_s, double slack_s, double cap_s) {
        return slack_s + late_s <= cap_s;
    }

private:
    SlackRule rule_;
    double least_s_;
    double value_s_;
    std::uint64_t met_ = 0; ///< deadlines since the last change of the slack
};

} // namespace ictus
