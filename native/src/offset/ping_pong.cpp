#include "offset/ping_pong.hpp"

#include "base/error.hpp"

#include <string>

namespace ictus::offset {
namespace {

using Kind = PingPongMessage::Kind;

[[noreturn]] void refuse_kind(Transport& transport, int peer) {
    throw measurement_error("rank " + std::to_string(transport.rank()) + " got a message of the wrong kind from rank " +
                            std::to_string(peer) + " while measuring a clock offset");
}

/// Answers one message of the client's, unless it is `done`. Returns what it was.
Kind answer(Transport& transport, int client) {
    const Kind kind = receive_value<PingPongMessage>(transport, client).kind;
    if (kind == Kind::done) {
        return kind;
    }
    if (kind != Kind::ping && kind != Kind::last_ping) {
        refuse_kind(transport, client);
    }
    const ReferenceTime heard = as_reference(transport.now());
    send_value(transport, client, PingPongMessage{Kind::pong, heard, as_reference(transport.now())});
    return kind;
}

} // namespace

RoundTrip ping(Transport& transport, int reference, Kind kind) {
    const LocalTime sent = transport.now();
    send_value(transport, reference, PingPongMessage{kind, {}, {}});
    const auto pong = receive_value<PingPongMessage>(transport, reference);
    const LocalTime received = transport.now();
    if (pong.kind != Kind::pong) {
        refuse_kind(transport, reference);
    }
    return {sent, pong.heard, pong.answered, received};
}

void pong(Transport& transport, int client) {
    if (answer(transport, client) != Kind::ping) {
        refuse_kind(transport, client);
    }
}

void serve(Transport& transport, int client) {
    while (answer(transport, client) == Kind::ping) {
    }
}

void finish(Transport& transport, int reference) {
    send_value(transport, reference, PingPongMessage{Kind::done, {}, {}});
}

} // namespace ictus::offset
