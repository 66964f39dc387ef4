// A link between two ranks, by the parametrised round trip PRTT(n, d, s) of Hoefler, Lichei and Rehm 2007 (Netgauge's
// LogGP pattern): the client sends n messages of s bytes, d apart, and the server answers the last one with s bytes.
//
//   PRTT(n, d, s) = 2 (L + 2 o + (s-1) G) + (n-1) max(o + d, g + (s-1) G)
//
// A train without delay shows the gap of its messages, one whose delay exceeds the gap shows the sender's overhead. No
// clocks need to be synchronised, and no link is saturated. What follows from the samples is Python's.
#pragma once

#include "transport/transport.hpp"

#include <cstddef>
#include <vector>

namespace ictus {

/// The three round trips of one size, each measured right after the one before, by the client.
struct TrainSample {
    double single_s = 0.0;  ///< PRTT(1, 0, s)
    double train_s = 0.0;   ///< PRTT(n, 0, s)
    double delayed_s = 0.0; ///< PRTT(n, d, s), d being the single round trip
    double waited_s = 0.0;  ///< all its delays together, as they became
};

/// The client's side of one sample; `buffer` has s bytes, `n` is at least 2.
[[nodiscard]] TrainSample send_trains(Transport& transport, int server, std::size_t n, std::vector<std::byte>& buffer);
/// The server's side.
void answer_trains(Transport& transport, int client, std::size_t n, std::vector<std::byte>& buffer);

/// Sends `n` messages one after the other; the time until the receiver says that it has all.
[[nodiscard]] double send_stream(Transport& transport, int receiver, std::size_t n, std::vector<std::byte>& buffer);
void receive_stream(Transport& transport, int sender, std::size_t n, std::vector<std::byte>& buffer);

} // namespace ictus
