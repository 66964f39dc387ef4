#include "platform/platform.hpp"

#include "base/random.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ictus::platform {
namespace {

template <class Number>
Number number(std::string_view key, std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw std::invalid_argument(std::string(key) + "='" + std::string(text) + "' is not a number");
    }
    return value;
}

Description::Network network(std::string_view text) {
    if (text == "star") {
        return Description::Network::star;
    }
    if (text == "fat-tree") {
        return Description::Network::fat_tree;
    }
    throw std::invalid_argument("network='" + std::string(text) + "' is neither star nor fat-tree");
}

void set(Description& description, std::string_view key, std::string_view text) {
    if (key == "network") {
        description.network = network(text);
    } else if (key == "hosts") {
        description.n_hosts = number<std::size_t>(key, text);
    } else if (key == "hosts_per_switch") {
        description.hosts_per_switch = number<std::size_t>(key, text);
    } else if (key == "latency") {
        description.latency_s = number<double>(key, text);
    } else if (key == "bandwidth") {
        description.bandwidth = number<double>(key, text);
    } else if (key == "local_latency") {
        description.local_latency_s = number<double>(key, text);
    } else if (key == "local_bandwidth") {
        description.local_bandwidth = number<double>(key, text);
    } else if (key == "jitter") {
        description.jitter = number<double>(key, text);
    } else if (key == "tail_share") {
        description.tail_share = number<double>(key, text);
    } else if (key == "tail_factor") {
        description.tail_factor = number<double>(key, text);
    } else if (key == "asymmetry") {
        description.asymmetry_s = number<double>(key, text);
    } else if (key == "seed") {
        description.seed = number<std::uint64_t>(key, text);
    } else {
        throw std::invalid_argument("'" + std::string(key) + "' is unknown");
    }
}

} // namespace

Description parse_description(std::string_view text) {
    Description description;
    while (!text.empty()) {
        const std::size_t blank = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, blank);
        text.remove_prefix(std::min(blank + 1, text.size()));
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos) {
            throw std::invalid_argument("'" + std::string(word) + "' is not key=value");
        }
        set(description, word.substr(0, equals), word.substr(equals + 1));
    }
    if (description.n_hosts == 0 || description.hosts_per_switch == 0) {
        throw std::invalid_argument("hosts and hosts_per_switch must be 1 or more");
    }
    return description;
}

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
