#include "tool/world_spec.hpp"

#include "base/parameter.hpp"

namespace ictus::simulation {
namespace {

using Type = Parameter::Type;

constexpr Parameter world_parameters[] = {
    {.name = "size", .type = Type::count, .default_value = "2", .help = "ranks", .minimum = 1, .maximum = 100000},
    {.name = "seed", .type = Type::count, .default_value = "1", .help = "decides everything random"},
    {.name = "offset",
     .type = Type::duration,
     .default_value = "1s",
     .help = "offsets are uniform in plus or minus this",
     .minimum = 0},
    {.name = "drift",
     .type = Type::rate,
     .default_value = "20ppm",
     .help = "drifts are uniform in plus or minus this",
     .minimum = 0},
    {.name = "wander",
     .type = Type::rate,
     .default_value = "0",
     .help = "standard deviation of the change of drift in a second",
     .minimum = 0},
    {.name = "latency",
     .type = Type::duration,
     .default_value = "1us",
     .help = "shortest way of a message",
     .minimum = 0},
    {.name = "jitter",
     .type = Type::duration,
     .default_value = "300ns",
     .help = "mean of the random part of the way",
     .minimum = 0},
    {.name = "shape",
     .type = Type::count,
     .default_value = "1",
     .help = "exponentials that make up the random part",
     .minimum = 1,
     .maximum = 100},
    {.name = "tail_share",
     .type = Type::real,
     .default_value = "0.01",
     .help = "share of messages with a much longer way",
     .minimum = 0,
     .maximum = 1},
    {.name = "tail_factor", .type = Type::real, .default_value = "20", .help = "how many times longer", .minimum = 1},
    {.name = "asymmetry",
     .type = Type::duration,
     .default_value = "0",
     .help = "extra way from lower to higher ranks",
     .minimum = 0},
    {.name = "ranks_per_host",
     .type = Type::count,
     .default_value = "1",
     .help = "consecutive ranks of one host",
     .minimum = 1,
     .maximum = 100000},
    {.name = "one_clock", .type = Type::flag, .default_value = "off", .help = "ranks of a host read one clock"},
    {.name = "host_latency",
     .type = Type::duration,
     .default_value = "200ns",
     .help = "shortest way inside a host",
     .minimum = 0},
    {.name = "host_jitter", .type = Type::duration, .default_value = "50ns", .help = "its random part", .minimum = 0},
    {.name = "radix",
     .type = Type::count,
     .default_value = "0",
     .help = "hosts under one leaf switch of a fat tree; 0: flat",
     .maximum = 100000},
    {.name = "hop",
     .type = Type::duration,
     .default_value = "0",
     .help = "extra way for each level of switches",
     .minimum = 0},
};

const MemberInfo world_info{"world", "ranks, clocks and links of virtual time", "", world_parameters};
const FamilyInfo& world_family() {
    static const FamilyInfo family{"world", "simulated worlds", {&world_info}};
    return family;
}

} // namespace

SimulatedSettings parse_world(std::string_view text) {
    const Bound bound = bind(world_family(), parse_spec(text));
    const auto share = [&](const char* name) { return bound.real(name); };
    SimulatedSettings settings;
    settings.size = static_cast<int>(bound.count("size"));
    settings.seed = bound.count("seed");
    settings.offset_s = share("offset");
    settings.drift = share("drift");
    settings.wander = share("wander");
    settings.link = {.latency_s = share("latency"),
                     .jitter_s = share("jitter"),
                     .jitter_shape = static_cast<int>(bound.count("shape")),
                     .tail_share = share("tail_share"),
                     .tail_factor = share("tail_factor"),
                     .asymmetry_s = share("asymmetry")};
    settings.ranks_per_host = static_cast<int>(bound.count("ranks_per_host"));
    settings.one_clock_a_host = bound.flag("one_clock");
    settings.host_link = settings.link;
    settings.host_link.latency_s = share("host_latency");
    settings.host_link.jitter_s = share("host_jitter");
    settings.radix = static_cast<int>(bound.count("radix"));
    settings.hop_s = share("hop");
    return settings;
}

} // namespace ictus::simulation
