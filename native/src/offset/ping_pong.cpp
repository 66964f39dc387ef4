#include "offset/ping_pong.hpp"

#include "core/error.hpp"

#include <string>

namespace ictus::offset {
namespace {

PingPongMessage receive_kind(Transport& transport, int peer, PingPongMessage::Kind kind) {
    const auto message = receive_value<PingPongMessage>(transport, peer);
    if (message.kind != kind) {
        throw measurement_error("rank " + std::to_string(transport.rank()) +
                                " got a message of the wrong kind from rank " + std::to_string(peer) +
                                " while measuring a clock offset");
    }
    return message;
}

} // namespace

Exchange ping(Transport& transport, int reference) {
    const double sent = transport.now().s;
    send_value(transport, reference, PingPongMessage{PingPongMessage::Kind::ping, 0.0, 0.0});
    const PingPongMessage pong = receive_kind(transport, reference, PingPongMessage::Kind::pong);
    return {sent, pong.heard, pong.answered, transport.now().s};
}

void pong(Transport& transport, int client) {
    (void)receive_kind(transport, client, PingPongMessage::Kind::ping);
    const double heard = transport.now().s;
    send_value(transport, client, PingPongMessage{PingPongMessage::Kind::pong, heard, transport.now().s});
}

} // namespace ictus::offset
