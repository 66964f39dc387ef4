#include "offset/exchanges.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ictus::offset {
/// Steps of the golden ratio spread any number of pauses evenly.
void Exchanges::pause(Transport& transport, LocalTime last) {
    if (points_.floor.size() < 2) {
        return; // the first waits for the reference, however late it comes
    }
    phase_ = std::fmod(phase_ + std::numbers::phi, 1.0);
    transport.wait_until(last + longest_pause * phase_ * shortest_s_);
}

/// The client's time at its end.
LocalTime Exchanges::exchange(Transport& transport, int reference, PingPongKind kind) {
    const RoundTrip one = ping(transport, reference, Receiving::polling, kind);
    points_.floor.push_back({one.sent, one.lower()});
    points_.ceiling.push_back({one.received, one.upper()});
    shortest_s_ = std::min(shortest_s_, one.received - one.sent);
    return one.received;
}

void Exchanges::burst(Transport& transport, const Meeting& meeting, std::uint64_t count) {
    LocalTime last;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (meeting.role == Role::reference) {
            pong(transport, meeting.peer, Receiving::polling);
            continue;
        }
        pause(transport, i > 0 ? last : transport.now());
        last = exchange(transport, meeting.peer);
    }
}

void Exchanges::burst_for(Transport& transport, const Meeting& meeting, double time_s) {
    if (meeting.role == Role::reference) {
        serve(transport, meeting.peer, Receiving::polling);
        return;
    }
    pause(transport, transport.now());
    LocalTime last = exchange(transport, meeting.peer); // and a wait for the reference to be ready
    const LocalTime end = last + time_s;
    double took = 0.0;
    do {
        const LocalTime begin = last;
        pause(transport, last);
        last = exchange(transport, meeting.peer);
        took = last - begin;
    } while (last + 2.0 * took < end); // if the next takes as long, is there time for one more?
    pause(transport, last);
    (void)exchange(transport, meeting.peer, PingPongKind::last_ping);
}

} // namespace ictus::offset
