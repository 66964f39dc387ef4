// Runs a clock synchronisation in a simulated world and judges it by the truth.
#pragma once

#include "base/parameter.hpp"
#include "base/summary.hpp"
#include "clocksync/clocksync.hpp"
#include "transport/simulated_world.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace simulation {

struct Judged {
    std::vector<double> error; ///< per rank, signed: its global time minus the root's clock, at the instant of judging
    double largest = 0.0;
    double widest = 0.0;    ///< bound of all ranks at that instant; NaN where one has none
    int violated = 0;       ///< errors that are not within their bounds
    int arity = 0;          ///< of the tree, where the algorithm has one
    double learnt_at = 0.0; ///< true time at which the last rank had its model
    std::uint64_t messages = 0;
};

/// Errors `wait` seconds after the last rank had learnt.
inline Judged judge(const ictus::SimulatedSettings& settings, const std::string& algorithm, double wait) {
    ictus::SimulatedWorld world(settings);
    std::vector<ictus::Synchronised> ranks(static_cast<std::size_t>(settings.size));
    Judged judged;
    world.run([&](ictus::Transport& transport) {
        const auto bound = ictus::bind(ictus::clocksync::family(), ictus::parse_spec(algorithm));
        const auto clocksync = ictus::clocksync::registry().make(bound);
        ranks[static_cast<std::size_t>(transport.rank())] = clocksync->synchronise(transport);
        judged.messages += transport.messages_sent();
    });
    for (int rank = 0; rank < settings.size; ++rank) {
        judged.learnt_at = std::max(judged.learnt_at, world.true_time(rank));
    }
    const double instant = judged.learnt_at + wait;
    for (int rank = 0; rank < settings.size; ++rank) {
        const ictus::Synchronised& own = ranks[static_cast<std::size_t>(rank)];
        const ictus::LocalTime local = world.clock_at(rank, instant);
        judged.error.push_back(own.model.to_global(local) - world.global_at(instant));
        judged.largest = std::max(judged.largest, std::abs(judged.error.back()));
        judged.widest = ictus::larger_or_none(judged.widest, own.bound(local));
        judged.violated += std::abs(judged.error.back()) <= own.bound(local) ? 0 : 1;
    }
    judged.arity = ranks.front().arity;
    return judged;
}

inline constexpr int sizes[] = {1, 2, 3, 5, 8};

} // namespace simulation
