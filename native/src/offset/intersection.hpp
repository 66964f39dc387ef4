// What the exchanges of one measurement prove together.
//
// The rule: a process that read its clock as a before a send and as b after a receive, and got in between a stamp p of
// its peer, knows that peer - own lies in [p - b, p - a]. Applied on both sides to the four stamps of the exchanges k
// (client: sent, received; reference: heard, answered) it gives
//   on the client's side     sent(k) - heard(k) <= offset <= received(k) - answered(k)
//   on the reference's side  sent(k+1) - heard(k+1) <= offset <= sent(k+1) - answered(k),
// for the stamp in between answered(k) and heard(k+1) is the client's sent(k+1). That lower end is lower() of exchange
// k + 1. That upper end is never below upper() of exchange k, as sent(k+1) >= received(k); and every other pair of
// stamps that a message orders lies further apart still. So lower() and upper() of all exchanges are both sides'
// intersection, and it is enough that the client alone computes it. With three stamps (heard = answered) this holds
// too; the fourth takes the reference's own time between its two readings out of the interval.
#pragma once

#include "clockmath/hull.hpp"
#include "offset/offset.hpp"
#include "offset/ping_pong.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus::offset {

class Intersection {
public:
    /// Returns whether `next` was quicker than all before it.
    bool add(const RoundTrip& next) {
        if (next.lower() > lower_) {
            lower_ = next.lower();
            lower_at_ = next.sent;
        }
        if (next.upper() < upper_) {
            upper_ = next.upper();
            upper_at_ = next.received;
        }
        if (next.duration() >= min_round_trip_) {
            return false;
        }
        quickest_ = next;
        min_round_trip_ = next.duration();
        return true;
    }

    [[nodiscard]] ClockOffset middle() const { return midpoint(lower_, upper_); }
    /// The ends were seen at different times; with a drift the middle holds half way between them.
    [[nodiscard]] LocalTime at() const { return midpoint(lower_at_, upper_at_); }
    [[nodiscard]] const RoundTrip& quickest() const { return quickest_; }

    /// How far the true offset can be from `offset`, also where `offset` lies outside of the interval. NaN where the
    /// ends cross: a clock stepped or drifted meanwhile, and nothing is proven.
    [[nodiscard]] double bound(ClockOffset offset) const {
        return farthest(Interval<ClockOffset>{lower_, upper_}, offset);
    }
    /// An estimate with its proven bound.
    [[nodiscard]] OffsetSample sample(LocalTime at, ClockOffset offset) const {
        return {at, offset, bound(offset), min_round_trip_};
    }

private:
    ClockOffset lower_{-std::numeric_limits<double>::infinity()};
    ClockOffset upper_{std::numeric_limits<double>::infinity()};
    LocalTime lower_at_;
    LocalTime upper_at_;
    double min_round_trip_ = std::numeric_limits<double>::infinity();
    RoundTrip quickest_{};
};

} // namespace ictus::offset
