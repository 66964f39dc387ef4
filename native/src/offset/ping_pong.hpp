// The exchange on which every offset estimator rests. The client sends, the reference answers with its time t, the
// client has its own times s before the send and r after the receive.
#pragma once

#include "transport/transport.hpp"

namespace ictus::offset {

/// The kind travels in each message: no value of a clock is ever a sentinel.
struct PingPongMessage {
    enum class Kind : std::uint64_t { ping = 1, pong = 2 };
    Kind kind;
    double time;
};

struct Exchange {
    double sent;     ///< s, the client's time before its send
    double answered; ///< t, the reference's time in between
    double received; ///< r, the client's time after its receive
};

/// One exchange, the client's side: client minus reference lies in [sent - answered, received - answered].
[[nodiscard]] Exchange ping(Transport& transport, int reference);
/// The reference's side.
void pong(Transport& transport, int client);

} // namespace ictus::offset
