#include "study/rtt.hpp"

#include "base/error.hpp"
#include "offset/ping_pong.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace ictus {
namespace {

/// The ranks whose pairs are measured, ascending. The same on all ranks.
std::vector<int> chosen_ranks(LaunchContext& context, const std::vector<int>& named) {
    const int size = context.size();
    std::vector<int> ranks = named;
    for (const int rank : ranks) {
        if (rank >= size) {
            throw PlanError("option 'of': there is no rank " + std::to_string(rank) + "; ranks are 0 to " +
                            std::to_string(size - 1));
        }
    }
    if (ranks.empty()) { // the first of each host
        std::vector<int> hosts;
        for (int rank = 0; rank < size; ++rank) {
            const int host = context.transport().locations()[static_cast<std::size_t>(rank)].host;
            if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) {
                hosts.push_back(host);
                ranks.push_back(rank);
            }
        }
    }
    if (named.empty() && ranks.size() == 1) { // all are on one host
        ranks.resize(static_cast<std::size_t>(size));
        std::iota(ranks.begin(), ranks.end(), 0);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

/// Round trip, offset and time of each exchange one after the other: three columns of as many entries; zeros on a rank
/// that is not the client.
std::vector<double> measure_pair(Transport& transport, int client, int reference, std::size_t n) {
    std::vector<offset::RoundTrip> exchanges; // read after the last one, so that nothing delays the next
    exchanges.reserve(n);
    std::vector<double> columns(3 * n);
    for (std::size_t i = 0; i < n; ++i) {
        if (transport.rank() == reference) {
            offset::pong(transport, client);
        } else if (transport.rank() == client) {
            exchanges.push_back(offset::ping(transport, reference));
        }
    }
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
        const offset::RoundTrip& one = exchanges[i];
        columns[i] = one.duration();
        columns[n + i] = one.middle().s;
        columns[2 * n + i] = one.received - exchanges.front().sent;
    }
    return columns;
}

} // namespace

void RoundTripStudy::measure(LaunchContext& context) {
    Transport& transport = context.transport();
    const std::vector<int> ranks = chosen_ranks(context, plan_.ranks);
    const auto n = static_cast<std::size_t>(plan_.exchanges);
    const auto host_of = [&](int rank) { return transport.locations()[static_cast<std::size_t>(rank)].host; };
    for (std::size_t low = 0; low < ranks.size(); ++low) {
        for (std::size_t high = low + 1; high < ranks.size(); ++high) {
            const int reference = ranks[low];
            const int client = ranks[high];
            transport.library_barrier();
            const auto columns = gather_columns(context.record_comm(), measure_pair(transport, client, reference, n));
            if (!context.is_root()) {
                continue;
            }
            RoundTrips pair{client, reference, host_of(client), host_of(reference), {}, {}, {}};
            for (std::size_t i = 0; i < n; ++i) {
                pair.rtt_s.push_back(columns[i][static_cast<std::size_t>(client)]);
                pair.offset_s.push_back(columns[n + i][static_cast<std::size_t>(client)]);
                pair.elapsed_s.push_back(columns[2 * n + i][static_cast<std::size_t>(client)]);
            }
            pairs_.push_back(std::move(pair));
        }
    }
}

void RoundTripStudy::write(record::JsonWriter& json) const {
    json.member("exchanges", plan_.exchanges).key("pairs").begin_array();
    for (const RoundTrips& one : pairs_) {
        json.begin_object().member("client", one.client).member("reference", one.reference);
        json.member("client_host", one.client_host).member("reference_host", one.reference_host);
        json.list("rtt_s", one.rtt_s).list("offset_s", one.offset_s).list("elapsed_s", one.elapsed_s).end_object();
    }
    json.end_array();
}

} // namespace ictus
