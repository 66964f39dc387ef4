// The library that SimGrid loads instead of a platform file: hosts, links, routes, and a latency that differs from
// message to message, which no platform file can express. The variable ICTUS_PLATFORM holds the description.
#include "platform/platform.hpp"

#include <cstdlib>
#include <exception>
#include <memory>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u.hpp>
#include <unordered_map>

namespace ictus::platform {
namespace {

using simgrid::s4u::Host;
using simgrid::s4u::Link;
using simgrid::s4u::LinkInRoute;
using simgrid::s4u::NetZone;

constexpr double speed = 1e9; ///< flops per second; any value will do: computing is not simulated

/// Half of the route between two hosts. Messages that use it at the same time share its bandwidth.
Link* make_link(NetZone* zone, const Description& description, const std::string& name) {
    Link* link = zone->create_link(name, description.bandwidth);
    return link->set_latency(description.latency_s / 2)->seal();
}

/// The route from a host to itself: the memory that its ranks share.
Link* make_memory(NetZone* zone, const Description& description, const std::string& host) {
    Link* link = zone->create_link(host + "-memory", description.local_bandwidth);
    return link->set_latency(description.local_latency_s)->set_sharing_policy(Link::SharingPolicy::FATPIPE)->seal();
}

std::string host_name(std::size_t number) { return "host" + std::to_string(number); }

NetZone* make_star(const Description& description) {
    NetZone* zone = simgrid::s4u::create_star_zone("platform");
    for (std::size_t number = 0; number < description.n_hosts; ++number) {
        const std::string name = host_name(number);
        const Host* host = zone->create_host(name, speed)->seal();
        const LinkInRoute up(make_link(zone, description, name + "-up"));
        const LinkInRoute down(make_link(zone, description, name + "-down"));
        const LinkInRoute memory(make_memory(zone, description, name));
        zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {up}, false);
        zone->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, {down}, false);
        zone->add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr, {memory});
    }
    return zone;
}

/// Each leaf switch has one uplink for each of its hosts, so that the tree has full bisection bandwidth.
NetZone* make_fat_tree(const Description& description) {
    const auto below = static_cast<unsigned>(description.hosts_per_switch);
    const auto leaves = static_cast<unsigned>((description.n_hosts + below - 1) / below);
    const simgrid::s4u::ClusterCallbacks parts(
        [](NetZone* zone, const std::vector<unsigned long>&, unsigned long number) {
            Host* host = zone->create_host(host_name(number), speed);
            host->seal();
            return std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>(
                host->get_netpoint(), nullptr);
        },
        [description](NetZone* zone, const std::vector<unsigned long>&, unsigned long number) {
            return make_memory(zone, description, host_name(number));
        },
        {});
    const simgrid::s4u::FatTreeParams shape(2, {below, leaves}, {1, below}, {1, 1});
    return simgrid::s4u::create_fatTree_zone("platform", nullptr, shape, parts, description.bandwidth,
                                             description.latency_s / 2, Link::SharingPolicy::SPLITDUPLEX);
}

class MessageLatency {
public:
    explicit MessageLatency(const Description& description) : latency_(description) {
        for (std::size_t number = 0; number < description.n_hosts; ++number) {
            numbers_.emplace(Host::by_name(host_name(number)), number);
        }
    }

    [[nodiscard]] double factor(const Host* from, const Host* to, const std::vector<Link*>& route) {
        double seconds = 0.0;
        for (const Link* link : route) {
            seconds += link->get_latency();
        }
        return latency_.factor(numbers_.at(from), numbers_.at(to), seconds);
    }

private:
    Latency latency_;
    std::unordered_map<const Host*, std::size_t> numbers_;
};

void build(const simgrid::s4u::Engine& engine, const Description& description) {
    NetZone* zone =
        description.network == Description::Network::star ? make_star(description) : make_fat_tree(description);
    zone->seal();
    auto* model = engine.get_netzone_root()->get_network_model();
    const auto latency = std::make_shared<MessageLatency>(description);
    model->set_lat_factor_cb([latency](double, const Host* from, const Host* to, const std::vector<Link*>& route,
                                       const auto&) { return latency->factor(from, to, route); });
}

} // namespace
} // namespace ictus::platform

extern "C" void load_platform(const simgrid::s4u::Engine& engine) {
    const char* text = std::getenv("ICTUS_PLATFORM");
    try {
        ictus::platform::build(engine, ictus::platform::parse_description(text == nullptr ? "" : text));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ictus-platform: ICTUS_PLATFORM='%s': %s\n", text == nullptr ? "" : text, error.what());
        std::exit(2);
    }
}
