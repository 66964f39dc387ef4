// How long a message is on its way: each has its own draw, that depends on nothing but the seed, the sending host and
// how many that host has sent before. So a run can be repeated to the last digit.
#pragma once

#include "platform/description.hpp"

#include <cstdint>
#include <vector>

namespace ictus::platform {

class Latency {
public:
    explicit Latency(const Description& description);

    /// By what the latency `route_s` of the way from host `from` to host `to` is to be multiplied for the next message.
    [[nodiscard]] double factor(std::size_t from, std::size_t to, double route_s);

private:
    Description description_;
    std::vector<std::uint64_t> sent_; ///< messages of each host so far
};

} // namespace ictus::platform
