// The description of a simulated platform, which Ictus passes as text. Needs neither SimGrid nor MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ictus::platform {

struct Description {
    enum class Network {
        star,    ///< one switch between all hosts
        fat_tree ///< two levels of switches; a message between two leaf switches takes twice as long
    };

    Network network = Network::star;
    std::size_t n_hosts = 1;
    std::size_t hosts_per_switch = 16; ///< below one leaf switch of the fat tree
    double latency_s = 1e-6;           ///< one way, between two hosts of one switch
    double bandwidth = 12.5e9;         ///< bytes per second of each link
    double local_latency_s = 3e-7;     ///< one way, between two ranks of one host
    double local_bandwidth = 20e9;
    double jitter = 0.3;       ///< mean of the exponential part of a latency, as a multiple of the latency
    double tail_share = 0.01;  ///< share of messages that are late
    double tail_factor = 20.0; ///< how many times as long late messages take
    double asymmetry_s = 0.0;  ///< extra latency of messages that leave a host with an odd number
    std::uint64_t seed = 1;
};

/// `network=star hosts=64 latency=1e-06 ...`. Throws std::invalid_argument that names what is wrong.
[[nodiscard]] Description parse_description(std::string_view text);

// How long a message travels. Its random draw depends only on the seed, the sending host and the number of messages
// that this host has sent, so a run can be repeated to the last digit.

class Latency {
public:
    explicit Latency(const Description& description);

    /// The factor for the latency `route_s` of the next message from host `from` to host `to`.
    [[nodiscard]] double factor(std::size_t from, std::size_t to, double route_s);

private:
    Description description_;
    std::vector<std::uint64_t> sent_; ///< messages of each host so far
};

} // namespace ictus::platform
