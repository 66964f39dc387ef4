// The empty message of a barrier: that it comes is all it says.
#pragma once

#include "transport/transport.hpp"

namespace ictus::barrier {

inline void send_token(Transport& transport, int to) {
    const std::byte token{1};
    transport.send(to, {&token, 1});
}

inline void receive_token(Transport& transport, int from) {
    std::byte token{};
    transport.receive(from, {&token, 1});
}

inline void exchange_token(Transport& transport, int to, int from) {
    const std::byte sent{1};
    std::byte heard{};
    transport.exchange(to, {&sent, 1}, from, {&heard, 1});
}

} // namespace ictus::barrier
