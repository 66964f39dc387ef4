#include "study/ping_pong_check.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace ictus {
namespace {

void serve(Transport& transport, int client, const PingPongSettings& settings) {
    for (std::uint64_t round = 0; round < settings.rounds; ++round) {
        if (round > 0 && settings.round_gap_s > 0.0) {
            transport.wait_until(transport.now() + settings.round_gap_s);
        }
        send_value(transport, client, std::byte{1}); // so that the client's first ping does not wait for rank 0
        for (std::uint64_t i = 0; i < settings.exchanges; ++i) {
            offset::pong(transport, client);
        }
    }
}

std::vector<offset::RoundTrip> ask(Transport& transport, std::uint64_t exchanges) {
    (void)receive_value<std::byte>(transport, 0);
    std::vector<offset::RoundTrip> round;
    round.reserve(exchanges);
    for (std::uint64_t i = 0; i < exchanges; ++i) {
        round.push_back(offset::ping(transport, 0));
    }
    return round;
}

/// The exchange that proves the largest lower end, or the smallest upper end.
CheckedError error_of(const std::vector<offset::RoundTrip>& round, const ClockModel& own, const ClockModel& root) {
    const auto low = [&](const offset::RoundTrip& one) {
        return own.to_global(one.sent) - root.to_global(as_own(one.heard));
    };
    const auto high = [&](const offset::RoundTrip& one) {
        return own.to_global(one.received) - root.to_global(as_own(one.answered));
    };
    const auto& highest =
        *std::max_element(round.begin(), round.end(), [&](const auto& a, const auto& b) { return low(a) < low(b); });
    const auto& lowest =
        *std::min_element(round.begin(), round.end(), [&](const auto& a, const auto& b) { return high(a) < high(b); });
    const double half_width = (high(lowest) - low(highest)) / 2;
    return {(low(highest) + high(lowest)) / 2, half_width >= 0.0 ? half_width : undefined,
            midpoint(highest.heard, lowest.answered), midpoint(highest.sent, lowest.received)};
}

} // namespace

std::vector<int> sampled_ranks(int n_ranks, double share) {
    const int others = n_ranks - 1;
    const int n_sampled = std::min(others, std::max(1, static_cast<int>(std::ceil(share * others))));
    if (n_sampled == others) { // every rank asks: no set of all on each
        std::vector<int> all(static_cast<std::size_t>(others));
        std::iota(all.begin(), all.end(), 1);
        return all;
    }
    std::set<int> ranks;
    for (int i = 0; static_cast<int>(ranks.size()) < n_sampled; ++i) {
        ranks.insert(others - i);
        if (static_cast<int>(ranks.size()) < n_sampled && n_ranks / 2 - i > 0) {
            ranks.insert(n_ranks / 2 - i);
        }
    }
    return {ranks.begin(), ranks.end()};
}

CheckRounds check_by_ping_pong(Transport& transport, const std::vector<int>& ranks, const PingPongSettings& settings) {
    CheckRounds rounds;
    for (const int rank : ranks) {
        if (transport.rank() == 0) {
            serve(transport, rank, settings);
        } else if (transport.rank() == rank) {
            for (std::uint64_t round = 0; round < settings.rounds; ++round) {
                rounds.push_back(ask(transport, settings.exchanges));
            }
        }
    }
    return rounds;
}

CheckedError smallest_error(const CheckRounds& rounds, const ClockModel& own, const ClockModel& root) {
    CheckedError smallest = error_of(rounds.front(), own, root);
    for (const auto& round : rounds) {
        const CheckedError error = error_of(round, own, root);
        if (std::abs(error.error_s) < std::abs(smallest.error_s)) {
            smallest = error;
        }
    }
    return smallest;
}

} // namespace ictus
