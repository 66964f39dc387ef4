#include "platform/latency.hpp"

#include "base/random.hpp"

#include <cmath>

namespace ictus::platform {

Latency::Latency(const Description& description) : description_(description), sent_(description.n_hosts) {}

double Latency::factor(std::size_t from, std::size_t to, double route_s) {
    SplitMix64 random(SplitMix64::mix(SplitMix64::mix(description_.seed) + from) + sent_[from]++);
    double factor = 1.0 - description_.jitter * std::log1p(-random.uniform()); // exponential
    if (random.uniform() < description_.tail_share) {
        factor *= description_.tail_factor;
    }
    const bool slow_way_up = from != to && from % 2 == 1;
    return slow_way_up && route_s > 0.0 ? factor * (1.0 + description_.asymmetry_s / route_s) : factor;
}

} // namespace ictus::platform
