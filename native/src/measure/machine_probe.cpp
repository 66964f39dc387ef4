#include "measure/machine_probe.hpp"

#include "base/defaults.hpp"
#include "base/summary.hpp"
#include "transport/control.hpp"
#include "transport/sub_transport.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ictus {
namespace {

constexpr std::size_t copied_bytes = 2 << 20; // more than a core's own caches
constexpr double longest_share = 0.02;        // of the launch
constexpr double always_allowed_s = 10e-3;
constexpr std::size_t most_probes = 16; // that are kept apart; even

/// The first rank of a host makes the slots, the others open them. By our own messages: a library whose collectives are
/// wrong is to fail the check of its results, not here.
std::optional<machine::SharedSlots> share_slots(Transport& transport, std::size_t n_host_ranks) {
    const std::span<const RankLocation> locations = transport.locations();
    const int own_host = locations[static_cast<std::size_t>(transport.rank())].host;
    std::vector<int> members;
    for (int rank = 0; rank < transport.size(); ++rank) {
        if (locations[static_cast<std::size_t>(rank)].host == own_host) {
            members.push_back(rank);
        }
    }
    SubTransport host(transport, members);
    std::optional<machine::SharedSlots> slots;
    machine::SharedSlots::Place place{.process = 0, .file = -1, .number = 0};
    if (host.rank() == 0) {
        slots = machine::SharedSlots::create(members.size());
        if (slots) {
            place = slots->place();
        }
    }
    place = control::broadcast_value(host, place);
    if (host.rank() != 0 && place.file >= 0) {
        slots = machine::SharedSlots::open(place, members.size());
    }
    const bool all = control::largest(host, slots && members.size() == n_host_ranks ? 0.0 : 1.0) ==
                     0.0; // and all have them before they are closed
    if (slots) {
        slots->close();
    }
    return all ? std::move(slots) : std::nullopt;
}

void wait_for_all(const mpi::Communicator& host) { mpi::check(MPI_Barrier(host.handle()), "MPI_Barrier"); }

/// The larger of two, of which NaN counts as none.
double larger(double one, double other) { return std::isnan(one) || other > one ? other : one; }

/// Smallest and largest of all ranks' values, on rank 0; NaN: none.
std::vector<record::Range> ranges_of_all(Transport& transport, std::span<const double> own) {
    constexpr double nothing = -std::numeric_limits<double>::infinity();
    std::vector<double> ends; // largest of the value, largest of its negative
    for (const double value : own) {
        ends.push_back(std::isnan(value) ? nothing : value);
        ends.push_back(std::isnan(value) ? nothing : -value);
    }
    control::reduce_largest(transport, ends);
    std::vector<record::Range> ranges;
    for (std::size_t i = 0; i < own.size(); ++i) {
        const bool some = std::isfinite(ends[2 * i]);
        ranges.push_back(some ? record::Range{-ends[2 * i + 1], ends[2 * i]} : record::Range{});
    }
    return ranges;
}

record::Range united(const record::Range& one, const record::Range& other) {
    return {std::fmin(one.min, other.min), std::fmax(one.max, other.max)}; // these ignore a NaN
}

/// Each two probes become one with the extremes of both, so that launch.json stays small in launches of hours.
void unite_neighbours(std::vector<record::ProbeRecord>& probes) {
    std::vector<record::ProbeRecord> fewer;
    for (std::size_t i = 0; i + 1 < probes.size(); i += 2) {
        const record::ProbeRecord& one = probes[i];
        record::ProbeRecord both = probes[i + 1];
        both.elapsed_s += one.elapsed_s;
        for (const auto field :
             {&record::ProbeRecord::line_round_trip_s, &record::ProbeRecord::block_round_trip_s,
              &record::ProbeRecord::multiplications_hz, &record::ProbeRecord::copy_alone_bytes_per_s,
              &record::ProbeRecord::copy_together_bytes_per_s, &record::ProbeRecord::leader_round_trip_s}) {
            both.*field = united(one.*field, both.*field);
        }
        fewer.push_back(both);
    }
    probes = std::move(fewer);
}

/// Between the first ranks of hosts that follow each other: the worse of a leader's two neighbours. This is the
/// library's own send and receive, whatever lies below them.
double leader_round_trip(LaunchContext& context) {
    constexpr int n_trips = 20;
    const std::span<const RankLocation> locations = context.transport().locations();
    std::vector<int> leaders;
    for (const RankLocation& location : locations) {
        if (location.host < 0 || location.host >= context.size()) {
            return undefined; // a library whose collectives are wrong: the check of its results will say so
        }
        if (leaders.empty() || location.host > leaders.back()) {
            leaders.push_back(location.host);
        }
    }
    const auto own = std::ranges::find(leaders, context.rank());
    if (own == leaders.end()) {
        return undefined;
    }
    const std::ptrdiff_t index = own - leaders.begin();
    double worst = undefined;
    for (const int phase : {0, 1}) {
        const bool begins = index % 2 == phase;
        const std::ptrdiff_t other = begins ? index + 1 : index - 1;
        if (other < 0 || other >= std::ssize(leaders)) {
            continue;
        }
        const int peer = leaders[static_cast<std::size_t>(other)];
        std::array<std::byte, 1> message{};
        std::vector<double> times;
        for (int trip = 0; trip < n_trips; ++trip) {
            const LocalTime begin = context.transport().now();
            if (begins) {
                context.transport().send(peer, message);
                context.transport().receive(peer, message);
            } else {
                context.transport().receive(peer, message);
                context.transport().send(peer, message);
            }
            times.push_back(context.transport().now() - begin);
        }
        if (begins) { // the other one's first time contains its waiting
            worst = larger(worst, summarise(std::move(times)).median);
        }
    }
    return worst;
}

} // namespace

MachineProbe::MachineProbe(LaunchContext& context) : possible_(!is_simulated && !context.topology().oversubscribed) {
    if (!possible_) {
        return;
    }
    slots_ = share_slots(context.transport(), static_cast<std::size_t>(context.topology().host.size()));
    source_.assign(copied_bytes, std::byte{1}); // touches the pages
    target_.assign(copied_bytes, std::byte{2});
}

void MachineProbe::run(LaunchContext& context, int block, double elapsed_s, record::LaunchRecord& launch) {
    if (!possible_) {
        return;
    }
    const bool affordable = first_ || spent_s_ < std::max(always_allowed_s, longest_share * elapsed_s);
    if (!control::broadcast_value(context.transport(), affordable)) { // rank 0 decides for all
        return;
    }
    first_ = false;
    const LocalTime begin = context.transport().now();
    record::ProbeRecord found = probe(context);
    found.block = block;
    found.elapsed_s = context.transport().now() - begin;
    spent_s_ += found.elapsed_s;
    if (context.is_root()) {
        if (launch.probes.size() == most_probes) {
            unite_neighbours(launch.probes);
        }
        launch.probes.push_back(found);
    }
}

record::ProbeRecord MachineProbe::probe(LaunchContext& context) {
    const mpi::Communicator& host = context.topology().host;
    const machine::RoundTrips neighbour = worst_neighbour(host);
    wait_for_all(host);
    const double speed = machine::multiplications_hz();
    const double alone = host.rank() == 0 ? machine::copy_bandwidth(source_, target_) : undefined;
    wait_for_all(host);
    const double together = machine::copy_bandwidth(source_, target_);
    const double own[] = {neighbour.line_s, neighbour.block_s, speed, alone, together, leader_round_trip(context)};
    const std::vector<record::Range> all = ranges_of_all(context.transport(), own);
    return {.line_round_trip_s = all[0],
            .block_round_trip_s = all[1],
            .multiplications_hz = all[2],
            .copy_alone_bytes_per_s = all[3],
            .copy_together_bytes_per_s = all[4],
            .leader_round_trip_s = all[5]};
}

/// The larger round trips of the two neighbours of this rank on its host.
machine::RoundTrips MachineProbe::worst_neighbour(const mpi::Communicator& host) {
    machine::RoundTrips worst{undefined, undefined};
    if (!slots_) {
        return worst;
    }
    const int rank = host.rank();
    machine::ProbeSlot& own = (*slots_)[static_cast<std::size_t>(rank)];
    for (const int phase : {0, 1}) {
        own.turn.store(0);
        wait_for_all(host);
        const bool first = rank % 2 == phase;
        const int other = first ? rank + 1 : rank - 1;
        if (other >= 0 && other < host.size()) {
            const machine::RoundTrips found = machine::measure_round_trips(
                own, (*slots_)[static_cast<std::size_t>(other)], first ? machine::Turn::first : machine::Turn::second);
            worst = {larger(worst.line_s, found.line_s), larger(worst.block_s, found.block_s)};
        }
        wait_for_all(host);
    }
    return worst;
}

} // namespace ictus
