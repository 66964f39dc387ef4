#include "study/link.hpp"

#include <array>

namespace ictus {
namespace {

struct Train {
    double elapsed_s = 0.0;
    double waited_s = 0.0;
};

Train send_train(Transport& transport, int server, std::size_t n, double delay_s, std::vector<std::byte>& buffer) {
    Train train;
    const LocalTime begin = transport.now();
    transport.send(server, buffer);
    for (std::size_t i = 1; i < n; ++i) {
        if (delay_s > 0.0) { // as it became: waiting never ends on the instant itself
            const LocalTime from = transport.now();
            transport.wait_until(from + delay_s);
            train.waited_s += transport.now() - from;
        }
        transport.send(server, buffer);
    }
    transport.receive(server, buffer);
    train.elapsed_s = transport.now() - begin;
    return train;
}

void answer_train(Transport& transport, int client, std::size_t n, std::vector<std::byte>& buffer) {
    for (std::size_t i = 0; i < n; ++i) {
        transport.receive(client, buffer);
    }
    transport.send(client, buffer);
}

} // namespace

TrainSample send_trains(Transport& transport, int server, std::size_t n, std::vector<std::byte>& buffer) {
    const Train single = send_train(transport, server, 1, 0.0, buffer);
    const Train train = send_train(transport, server, n, 0.0, buffer);
    const Train delayed = send_train(transport, server, n, single.elapsed_s, buffer);
    return {single.elapsed_s, train.elapsed_s, delayed.elapsed_s, delayed.waited_s};
}

void answer_trains(Transport& transport, int client, std::size_t n, std::vector<std::byte>& buffer) {
    answer_train(transport, client, 1, buffer);
    answer_train(transport, client, n, buffer);
    answer_train(transport, client, n, buffer);
}

double send_stream(Transport& transport, int receiver, std::size_t n, std::vector<std::byte>& buffer) {
    std::array<std::byte, 1> answer;
    const LocalTime begin = transport.now();
    for (std::size_t i = 0; i < n; ++i) {
        transport.send(receiver, buffer);
    }
    transport.receive(receiver, answer);
    return transport.now() - begin;
}

void receive_stream(Transport& transport, int sender, std::size_t n, std::vector<std::byte>& buffer) {
    for (std::size_t i = 0; i < n; ++i) {
        transport.receive(sender, buffer);
    }
    transport.send(sender, std::array<std::byte, 1>{});
}

} // namespace ictus
