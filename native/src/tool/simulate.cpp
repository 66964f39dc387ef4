// ictus-simulate: clock synchronisations in simulated worlds, judged by the truth. Each line of standard input is a
// world, a blank, and the name of an algorithm; each line of standard output is the JSON of one run, in the same order.
#include "base/error.hpp"
#include "base/option.hpp"
#include "base/summary.hpp"
#include "clocksync/clocksync.hpp"
#include "record/json.hpp"
#include "transport/simulated_world.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <string_view>

namespace ictus::simulation {
namespace {

constexpr option::Range not_negative{.minimum = 0};

constexpr Parameter world_parameters[] = {
    option::count("size", "2", "ranks", {1, 1e6}).declaration,
    option::count("seed", "1", "seed of all that is random").declaration,
    option::duration("offset", "1s", "offsets are uniform in plus or minus this", not_negative).declaration,
    option::rate("drift", "20ppm", "drifts are uniform in plus or minus this", not_negative).declaration,
    option::rate("wander", "0", "standard deviation of the change of drift in a second", not_negative).declaration,
    option::duration("latency", "1us", "shortest way of a message", not_negative).declaration,
    option::duration("jitter", "300ns", "mean of the random part of the way", not_negative).declaration,
    option::count("shape", "1", "exponential variables whose sum is the random part", {1, 100}).declaration,
    option::real("tail_share", "0.01", "share of messages that take much longer", {0, 1}).declaration,
    option::real("tail_factor", "20", "how many times longer those take", {.minimum = 1}).declaration,
    option::duration("asymmetry", "0", "extra way from lower to higher ranks", not_negative).declaration,
    option::count("ranks_per_host", "1", "consecutive ranks of one host", {1, 100000}).declaration,
    option::flag("one_clock", "off", "ranks of a host read one clock").declaration,
    option::duration("host_latency", "200ns", "shortest way inside a host", not_negative).declaration,
    option::duration("host_jitter", "50ns", "its random part", not_negative).declaration,
    option::count("radix", "0", "hosts under one leaf switch of a fat tree; 0: flat", {.maximum = 100000}).declaration,
    option::duration("hop", "0", "extra way for each level of switches", not_negative).declaration,
};

const MemberInfo world_info{"world", "ranks, clocks and links of virtual time", "", world_parameters};
const FamilyInfo& world_family() {
    static const FamilyInfo family{"world", "simulated worlds", {&world_info}};
    return family;
}

} // namespace

/// A simulated world named in the grammar of names: world(size=64,drift=20ppm,jitter=300ns,...). Throws a usage Error
/// that names the parameter, the value and what is allowed.
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

namespace {

constexpr double waits_s[] = {0.0, 1.0, 5.0, 20.0};

struct SimulatedRun {
    std::vector<Synchronised> ranks;
    double learnt_at = 0.0; ///< true time at which the last rank had its model
    std::uint64_t messages = 0;
};

SimulatedRun synchronise(SimulatedWorld& world, const SimulatedSettings& settings, const Bound& algorithm) {
    SimulatedRun run;
    run.ranks.resize(static_cast<std::size_t>(settings.size));
    world.run([&](Transport& transport) {
        const auto clocksync = clocksync::registry().make(algorithm);
        run.ranks[static_cast<std::size_t>(transport.rank())] = clocksync->synchronise(transport);
        run.messages += transport.messages_sent();
    });
    for (int rank = 0; rank < settings.size; ++rank) {
        run.learnt_at = std::max(run.learnt_at, world.true_time(rank));
    }
    return run;
}

/// NaN where one of the values is.
double quantile(std::vector<double> values, double p) {
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); })) {
        return undefined;
    }
    std::sort(values.begin(), values.end());
    const double position = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

/// The unavoidable error: that of a clock whose offset and drift were known exactly when learning ended, and which has
/// wandered since.
double oracle_error(SimulatedWorld& world, int rank, double learnt_at, double wait) {
    constexpr double step = 1e-3;
    const auto offset = [&](double t) { return world.clock_at(rank, t) - world.clock_at(0, t); };
    const double drift = (offset(learnt_at) - offset(learnt_at - step)) / step;
    return offset(learnt_at + wait) - offset(learnt_at) - drift * wait;
}

/// Errors beyond their bound. Where any rank has a bound, a rank without one counts as a violation.
std::uint64_t violations(const std::vector<double>& errors, const std::vector<double>& bounds) {
    if (std::all_of(bounds.begin(), bounds.end(), [](double bound) { return std::isnan(bound); })) {
        return 0; // the algorithm states none
    }
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < errors.size(); ++i) {
        count += errors[i] <= bounds[i] ? 0 : 1;
    }
    return count;
}

void write_wait(record::JsonWriter& json, SimulatedWorld& world, const SimulatedRun& run, double wait) {
    const double instant = run.learnt_at + wait;
    std::vector<double> errors;
    std::vector<double> oracle{0.0};
    std::vector<double> bounds;
    for (std::size_t i = 0; i < run.ranks.size(); ++i) {
        const int rank = static_cast<int>(i);
        const LocalTime local = world.clock_at(rank, instant);
        const double error = std::abs(run.ranks[i].model.to_global(local) - world.global_at(instant));
        if (rank > 0 || run.ranks.size() == 1) { // the root is right by definition
            errors.push_back(error);
            bounds.push_back(run.ranks[i].bound(local));
            oracle.push_back(std::abs(oracle_error(world, rank, run.learnt_at, wait)));
        }
    }
    const std::uint64_t violated = violations(errors, bounds);
    json.begin_object(record::JsonWriter::Spacing::line);
    json.member("wait_s", wait).member("max_s", quantile(errors, 1.0)).member("p95_s", quantile(errors, 0.95));
    json.member("bound_s", quantile(bounds, 1.0)).member("bound_median_s", quantile(bounds, 0.5));
    json.member("violated", violated).member("oracle_s", quantile(oracle, 1.0)).end_object();
}

std::string judged(const std::string& line) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) {
        throw usage_error("a line must be a world, a blank and an algorithm; this one is '" + line + "'");
    }
    const SimulatedSettings settings = parse_world(line.substr(0, blank));
    const Bound algorithm = bind(clocksync::family(), parse_spec(line.substr(blank + 1)));
    SimulatedWorld world(settings);
    const SimulatedRun run = synchronise(world, settings, algorithm);
    record::JsonWriter json;
    json.begin_object(record::JsonWriter::Spacing::line);
    json.member("world", line.substr(0, blank)).member("algorithm", line.substr(blank + 1));
    json.member("elapsed_s", run.learnt_at).member("messages", run.messages);
    json.member("arity", run.ranks.front().arity);
    json.key("waits").begin_array(record::JsonWriter::Spacing::line);
    for (const double wait : waits_s) {
        write_wait(json, world, run, wait);
    }
    json.end_array().end_object();
    return json.take(true);
}

} // namespace
} // namespace ictus::simulation

int main() {
    try {
        for (std::string line; std::getline(std::cin, line);) {
            std::fputs(ictus::simulation::judged(line).c_str(), stdout);
            std::fflush(stdout);
        }
        return 0;
    } catch (const ictus::Error& error) {
        std::fprintf(stderr, "ictus-simulate: %s\n", error.what());
        return error.exit_code();
    }
}
