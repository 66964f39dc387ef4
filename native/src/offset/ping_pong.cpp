#include "offset/ping_pong.hpp"

#include "base/error.hpp"

#include <string>

namespace ictus::offset {
namespace {

[[noreturn]] void refuse_kind(Transport& transport, int peer) {
    throw measurement_error("rank " + std::to_string(transport.rank()) + " got a message of the wrong kind from rank " +
                            std::to_string(peer) + " while measuring a clock offset");
}

/// Answers one message of the client's, unless it is `done`. Returns its kind.
PingPongKind answer(Transport& transport, int client) {
    const PingPongKind kind = receive_value<PingPongMessage>(transport, client).kind;
    if (kind == PingPongKind::done) {
        return kind;
    }
    if (kind != PingPongKind::ping && kind != PingPongKind::last_ping) {
        refuse_kind(transport, client);
    }
    const ReferenceTime heard = as_reference(transport.now());
    send_value(transport, client, PingPongMessage{PingPongKind::pong, heard, as_reference(transport.now())});
    return kind;
}

} // namespace

RoundTrip ping(Transport& transport, int reference, PingPongKind kind) {
    const LocalTime sent = transport.now();
    send_value(transport, reference, PingPongMessage{kind, {}, {}});
    const auto pong = receive_value<PingPongMessage>(transport, reference);
    const LocalTime received = transport.now();
    if (pong.kind != PingPongKind::pong) {
        refuse_kind(transport, reference);
    }
    return {sent, pong.heard, pong.answered, received};
}

void pong(Transport& transport, int client) {
    if (answer(transport, client) != PingPongKind::ping) {
        refuse_kind(transport, client);
    }
}

void serve(Transport& transport, int client) {
    while (answer(transport, client) == PingPongKind::ping) {
    }
}

void finish(Transport& transport, int reference) {
    send_value(transport, reference, PingPongMessage{PingPongKind::done, {}, {}});
}

} // namespace ictus::offset
