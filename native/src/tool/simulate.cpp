// ictus-simulate: clock synchronisations in simulated worlds, judged by the truth. Each line of standard input is a
// world, a blank, and the name of an algorithm; each line of standard output is the JSON of one run, in the same order.
#include "tool/world_spec.hpp"

#include "base/error.hpp"
#include "clocksync/clocksync.hpp"
#include "record/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <limits>

namespace ictus::simulation {
namespace {

constexpr double waits_s[] = {0.0, 1.0, 5.0, 20.0};

struct Run {
    std::vector<Synchronised> ranks;
    double learnt_at = 0.0; ///< true time at which the last rank had its model
    std::uint64_t messages = 0;
};

Run synchronise(SimulatedWorld& world, const SimulatedSettings& settings, const Bound& algorithm) {
    Run run;
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
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::sort(values.begin(), values.end());
    const double place = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

/// What nobody can do better than: a clock whose offset and drift were known exactly when learning ended, and which
/// wandered since.
double oracle_error(SimulatedWorld& world, int rank, double learnt_at, double wait) {
    constexpr double step = 1e-3;
    const auto offset = [&](double t) { return world.clock_at(rank, t) - world.clock_at(0, t); };
    const double drift = (offset(learnt_at) - offset(learnt_at - step)) / step;
    return offset(learnt_at + wait) - offset(learnt_at) - drift * wait;
}

/// Errors beyond their bound. Where any rank has a bound, one without has a bound that does not hold.
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

void write_wait(record::JsonWriter& json, SimulatedWorld& world, const Run& run, double wait) {
    const double instant = run.learnt_at + wait;
    std::vector<double> errors;
    std::vector<double> oracle{0.0};
    std::vector<double> bounds;
    for (std::size_t i = 0; i < run.ranks.size(); ++i) {
        const int rank = static_cast<int>(i);
        const double local = world.clock_at(rank, instant);
        const double error = std::abs(run.ranks[i].model.to_reference(local) - world.clock_at(0, instant));
        if (rank > 0 || run.ranks.size() == 1) { // the root is right by definition
            errors.push_back(error);
            bounds.push_back(run.ranks[i].bound(local));
            oracle.push_back(std::abs(oracle_error(world, rank, run.learnt_at, wait)));
        }
    }
    const std::uint64_t violated = violations(errors, bounds);
    json.begin_object(record::JsonWriter::Layout::line);
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
    const Run run = synchronise(world, settings, algorithm);
    record::JsonWriter json;
    json.begin_object(record::JsonWriter::Layout::line);
    json.member("world", line.substr(0, blank)).member("algorithm", line.substr(blank + 1));
    json.member("elapsed_s", run.learnt_at).member("messages", run.messages);
    json.key("waits").begin_array(record::JsonWriter::Layout::line);
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
