// Lets pairs of ranks measure their clocks' offsets in a simulated world and judges what they found by the truth.
#pragma once

#include "base/parameter.hpp"
#include "offset/offset.hpp"
#include "transport/simulated_world.hpp"

#include <string>
#include <vector>

namespace simulation {

struct Pair {
    int client;
    int reference;
};

struct Estimate {
    ictus::OffsetSample sample;
    double error = 0.0;         ///< the sample's offset minus the true one at the client's local time `at`
    std::uint64_t messages = 0; ///< sent by the client
};

/// Whether a sample's bound covers a truth. Rounding: clocks show seconds, of which a double resolves 1e-15.
inline bool covers(const ictus::OffsetSample& sample, ictus::ClockOffset truth) {
    return std::abs(sample.offset - truth) <= sample.bound + 1e-13;
}

/// Client minus reference when the client's clock shows `at`. Without wander a clock is a line, so two points tell it.
inline ictus::ClockOffset true_offset(ictus::SimulatedWorld& world, const Pair& pair, ictus::LocalTime at) {
    const ictus::LocalTime begin = world.clock_at(pair.client, 0.0);
    const double rate = world.clock_at(pair.client, 1.0) - begin;
    return at - as_reference(world.clock_at(pair.reference, (at - begin) / rate));
}

/// The pairs meet one after the other; each rank keeps one estimator for all its meetings.
inline std::vector<Estimate> estimates(const ictus::SimulatedSettings& settings, const std::string& estimator,
                                       const std::vector<Pair>& pairs) {
    ictus::SimulatedWorld world(settings);
    std::vector<Estimate> found(pairs.size());
    const auto bound = ictus::bind(ictus::offset::family(), ictus::parse_spec(estimator));
    world.run([&](ictus::Transport& transport) {
        const auto own = ictus::offset::registry().make(bound);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [client, reference] = pairs[i];
            if (transport.rank() == client) {
                const std::uint64_t before = transport.messages_sent();
                found[i].sample = own->measure(transport, {reference, ictus::Role::client});
                found[i].messages = transport.messages_sent() - before;
            } else if (transport.rank() == reference) {
                (void)own->measure(transport, {client, ictus::Role::reference});
            }
        }
    });
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        found[i].error = found[i].sample.offset - true_offset(world, pairs[i], found[i].sample.at);
    }
    return found;
}

/// The names of all members.
inline std::vector<std::string> all_estimators() {
    std::vector<std::string> names;
    for (const ictus::MemberInfo* member : ictus::offset::family().members) {
        names.emplace_back(member->name);
    }
    return names;
}

} // namespace simulation
