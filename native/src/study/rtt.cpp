// `clocks rtt`: how long a message and its answer take between each pair of ranks, one exchange after the other from
// the first on, and what offset of the two clocks each of them shows. One pair after the other, while all other ranks
// wait. Layout: file-format.md, clocks.json, rtt.
#include "base/error.hpp"
#include "base/quantity.hpp"
#include "offset/ping_pong.hpp"
#include "study/study.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace ictus {
namespace {

constexpr Option rtt_options[] = {
    option::ranks,
    option::clock,
    option::text("of", "auto",
                 "ranks whose pairs are measured, such as 0,1,4; auto: the lowest rank of each host; on one host all "
                 "ranks"),
    option::count("exchanges", "1000", "round trips of each pair", {2, 1e6}),
    study::output,
};

/// Ascending, without repeats; none for `auto`.
std::vector<int> named_ranks(const OptionValues& values) {
    std::set<int> ranks;
    if (values.text("of") != "auto") {
        for (const std::string& rank : values.words("of")) {
            ranks.insert(static_cast<int>(std::min<std::uint64_t>(parse_count(rank, "option 'of'"), 1U << 30U)));
        }
    }
    return {ranks.begin(), ranks.end()};
}

/// The first rank of each host; where all are on one host, all.
std::vector<int> ranks_of_hosts(std::span<const RankLocation> locations) {
    std::set<int> hosts;
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < locations.size(); ++rank) {
        if (hosts.insert(locations[rank].host).second) {
            ranks.push_back(static_cast<int>(rank));
        }
    }
    if (ranks.size() == 1) {
        ranks.resize(locations.size());
        std::iota(ranks.begin(), ranks.end(), 0);
    }
    return ranks;
}

/// Exchanges of one pair, in their order; as the client, the higher rank, measured them.
struct RoundTrips {
    int client;
    int reference;
    int client_host;
    int reference_host;
    std::vector<OwnNumbers> columns;
};

std::vector<OwnNumbers> of_rank(std::span<const RankNumbers> numbers, int rank) {
    std::vector<OwnNumbers> own;
    for (const RankNumbers& one : numbers) {
        std::vector<double>& values = own.emplace_back(OwnNumbers{one.name, {}}).values;
        for (const std::vector<double>& row : one.rows) {
            values.push_back(row[static_cast<std::size_t>(rank)]);
        }
    }
    return own;
}

class RoundTripStudy final : public Study {
public:
    explicit RoundTripStudy(const OptionValues& values)
        : named_(named_ranks(values)), exchanges_(values.count("exchanges")) {}

    void check(LaunchContext& context) override {
        if (!named_.empty() && named_.back() >= context.size()) {
            const int rank = *std::ranges::lower_bound(named_, context.size());
            throw usage_error("option 'of': there is no rank " + std::to_string(rank) + "; ranks are 0 to " +
                              std::to_string(context.size() - 1));
        }
    }

    void measure(LaunchContext& context) override {
        Transport& transport = context.transport();
        const auto locations = transport.locations();
        const auto host_of = [&](int rank) { return locations[static_cast<std::size_t>(rank)].host; };
        const std::vector<int> ranks = named_.empty() ? ranks_of_hosts(locations) : named_;
        for (std::size_t low = 0; low < ranks.size(); ++low) {
            for (std::size_t high = low + 1; high < ranks.size(); ++high) {
                const int reference = ranks[low];
                const int client = ranks[high];
                transport.library_barrier();
                const auto columns = gather_named(context.record_comm(), measure_pair(transport, client, reference));
                if (context.is_root()) {
                    pairs_.push_back(
                        {client, reference, host_of(client), host_of(reference), of_rank(columns, client)});
                }
            }
        }
    }

    void write(record::JsonWriter& json) const override {
        json.member("exchanges", exchanges_).array("pairs", pairs_, [&](const RoundTrips& one) {
            json.begin_object().member("client", one.client).member("reference", one.reference);
            json.member("client_host", one.client_host).member("reference_host", one.reference_host);
            for (const OwnNumbers& column : one.columns) {
                json.numbers(column.name, column.values);
            }
            json.end_object();
        });
    }

private:
    /// Round trip, offset and time of each exchange one after the other; zeros on a rank that is not the client.
    std::vector<OwnNumbers> measure_pair(Transport& transport, int client, int reference) const {
        std::vector<offset::RoundTrip> exchanges; // read after the last one, so that nothing delays the next
        exchanges.reserve(exchanges_);
        for (std::uint64_t i = 0; i < exchanges_; ++i) {
            if (transport.rank() == reference) {
                offset::pong(transport, client);
            } else if (transport.rank() == client) {
                exchanges.push_back(offset::ping(transport, reference));
            }
        }
        std::vector<double> rtt_s(exchanges_);
        std::vector<double> offset_s(
            exchanges_); // client's clock minus the reference's, if both ways took equally long
        std::vector<double> elapsed_s(exchanges_); // client's time from before the first exchange to after this one
        for (std::size_t i = 0; i < exchanges.size(); ++i) {
            rtt_s[i] = exchanges[i].duration();
            offset_s[i] = exchanges[i].middle().s;
            elapsed_s[i] = exchanges[i].received - exchanges.front().sent;
        }
        return {{"rtt_s", std::move(rtt_s)}, {"offset_s", std::move(offset_s)}, {"elapsed_s", std::move(elapsed_s)}};
    }

    std::vector<int> named_;
    std::uint64_t exchanges_;
    std::vector<RoundTrips> pairs_;
};

} // namespace

namespace study {
extern const StudyMember rtt;
const StudyMember rtt = {
    "clocks", "rtt",       "round trips of each pair of hosts or ranks, and the offsets that they show",
    "rtt",    rtt_options, make<RoundTripStudy>};
} // namespace study

} // namespace ictus
