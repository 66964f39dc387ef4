// The exchange on which every offset estimator rests: four stamps, two of the client's clock around two of the
// reference's.
#pragma once

#include "transport/transport.hpp"

namespace ictus::offset {

/// Each message states its kind, so that no time is a sentinel. Where the client decides how many exchanges there are,
/// its last ping says so; where only the answer shows that it was the last, a message `done` follows, without answer.
enum class PingPongKind : std::uint64_t { ping = 1, pong = 2, last_ping = 3, done = 4 };

struct PingPongMessage {
    PingPongKind kind;
    ReferenceTime heard;    ///< pong only: the reference's time after its receive
    ReferenceTime answered; ///< pong only: its time before its send
};

/// The stamps of one exchange. Its limits need no assumption: the ping was heard after it was sent, the pong received
/// after it was answered. Time that the reference spends between its two readings widens nothing.
struct RoundTrip {
    LocalTime sent;         ///< before the client's send
    ReferenceTime heard;    ///< after the reference's receive
    ReferenceTime answered; ///< before the reference's send
    LocalTime received;     ///< after the client's receive

    /// Client minus reference is at least this at the client's time `sent`, ...
    [[nodiscard]] ClockOffset lower() const { return sent - heard; }
    /// ... and at most this at its time `received`.
    [[nodiscard]] ClockOffset upper() const { return received - answered; }
    /// Both ways together, without the time between the reference's stamps: NTP's delay.
    [[nodiscard]] double duration() const { return upper() - lower(); }
    /// The offset if both ways took the same time.
    [[nodiscard]] ClockOffset middle() const { return midpoint(lower(), upper()); }
    /// The client's time half way.
    [[nodiscard]] LocalTime at() const { return midpoint(sent, received); }
};

/// How both sides look for messages: as published algorithms do, or without giving the core away.
enum class Receiving { blocking, polling };

/// One exchange, the client's side. `kind` is ping or last_ping.
[[nodiscard]] RoundTrip ping(Transport& transport, int reference, Receiving how = Receiving::blocking,
                             PingPongKind kind = PingPongKind::ping);
/// The reference's side, where both sides know that an exchange follows.
void pong(Transport& transport, int client, Receiving how = Receiving::blocking);

/// The reference's side, where the client decides: answers until the last ping or `done`. It needs neither parameters
/// nor earlier results.
void serve(Transport& transport, int client, Receiving how = Receiving::blocking);
/// The client's side of `exchanges` >= 1 exchanges with a reference that serves; `take(round_trip)` sees each.
template <class Take>
void ping_each(Transport& transport, int reference, std::uint64_t exchanges, Take take) {
    for (std::uint64_t i = 1; i <= exchanges; ++i) {
        take(ping(transport, reference, Receiving::blocking,
                  i < exchanges ? PingPongKind::ping : PingPongKind::last_ping));
    }
}
/// Ends the reference's serve() without another exchange.
void finish(Transport& transport, int reference);

} // namespace ictus::offset
