// Exchanges as constraints on the line of a client's offset. Each leg counts at its own end of the exchange: with one
// common time nothing would be proven where a leg stalls.
#pragma once

#include "clockmath/hull.hpp"
#include "clockmath/rounds.hpp"
#include "offset/ping_pong.hpp"

#include <cstdint>
#include <limits>

namespace ictus::offset {

/// What a client learns of one link, burst after burst. The reference's stays empty.
///
/// In a burst the next exchange follows the last one after a short pause, a different one each time. Both ranks poll:
/// exchanges without pauses, or with equal ones, fall into step with the two polls. Then each message is noticed
/// equally late for milliseconds, and the shortest way is not seen.
class Exchanges {
public:
    /// Of the shortest round trip, in which each rank polled at least once: long enough for every phase of the polls.
    static constexpr double longest_pause = 0.2;

    /// After the first exchange the caches are warm and both ranks wait for each other.
    void burst(Transport& transport, const Meeting& meeting, std::uint64_t count);

    /// Until `time_s` of the client's have passed since the first was answered; at least three exchanges. The client
    /// decides, so the two ranks need not agree on an exchange's time.
    void burst_for(Transport& transport, const Meeting& meeting, double time_s);

    [[nodiscard]] const Constraints& points() const { return points_; }

private:
    LocalTime exchange(Transport& transport, int reference, PingPongKind kind = PingPongKind::ping);
    void pause(Transport& transport, LocalTime last);

    Constraints points_;
    double shortest_s_ = std::numeric_limits<double>::infinity();
    double phase_ = 0.0; ///< of the last pause, as a share of the longest
};

} // namespace ictus::offset
