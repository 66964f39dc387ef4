#include "offset/ping_pong.hpp"

#include "base/error.hpp"

#include <string>

namespace ictus::offset {
namespace {

[[noreturn]] void refuse_kind(Transport& transport, int peer) {
    throw measurement_error("rank " + std::to_string(transport.rank()) + " got a message of the wrong kind from rank " +
                            std::to_string(peer) + " while measuring a clock offset");
}

PingPongMessage next_message(Transport& transport, int peer, Receiving how) {
    return how == Receiving::polling ? poll_value<PingPongMessage>(transport, peer)
                                     : receive_value<PingPongMessage>(transport, peer);
}

/// Answers one message of the client's, unless it is `done`. Returns its kind.
PingPongKind answer(Transport& transport, int client, Receiving how) {
    const PingPongKind kind = next_message(transport, client, how).kind;
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

RoundTrip ping(Transport& transport, int reference, Receiving how, PingPongKind kind) {
    const LocalTime sent = transport.now();
    send_value(transport, reference, PingPongMessage{kind, {}, {}});
    const PingPongMessage pong = next_message(transport, reference, how);
    const LocalTime received = transport.now();
    if (pong.kind != PingPongKind::pong) {
        refuse_kind(transport, reference);
    }
    return {sent, pong.heard, pong.answered, received};
}

void pong(Transport& transport, int client, Receiving how) {
    if (answer(transport, client, how) != PingPongKind::ping) {
        refuse_kind(transport, client);
    }
}

void serve(Transport& transport, int client, Receiving how) {
    while (answer(transport, client, how) == PingPongKind::ping) {
    }
}

void finish(Transport& transport, int reference) {
    send_value(transport, reference, PingPongMessage{PingPongKind::done, {}, {}});
}

} // namespace ictus::offset
