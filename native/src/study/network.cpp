// `network state`: what the machine is before libraries are compared on it. Links by trains of messages
// (study/link.hpp), bandwidth while all ranks send in random matchings, and the noise of the operating system by a
// fixed quantum of work on every rank. Layout: file-format.md, network.json.
#include "base/quantity.hpp"
#include "base/random.hpp"
#include "base/summary.hpp"
#include "machine/core_place.hpp"
#include "machine/cpu_set.hpp"
#include "mpi/agreement.hpp"
#include "study/computation.hpp"
#include "study/link.hpp"
#include "study/network_pairs.hpp"
#include "study/study.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

namespace ictus {
namespace {

constexpr Option network_options[] = {
    option::ranks,
    option::clock,
    option::size("sizes", "1,1Ki,2Ki,3Ki,4Ki,6Ki,8Ki,12Ki,16Ki,24Ki,32Ki,48Ki,64Ki",
                 "sizes of the messages in the trains from which LogGP parameters are computed", {1, 1e9})
        .list(),
    option::count("train", "16", "messages of a train", {2, 1e5}),
    option::count("repeats", "50", "trains of each size and link", {2, 1e6}),
    option::count(
        "links", "4",
        "largest number of pairs of ranks of each distance: that share a cache, a socket, a host, a switch, or "
        "none of them",
        {1, 1e5}),
    option::count(
        "matchings", "20",
        "number of random halves of the hosts that send to the other half, and of the ranks inside hosts, for "
        "the effective bisection bandwidth",
        {.maximum = 1e6}),
    option::size("stream-size", "1Mi", "size of a message of a stream in a matching", {1, 1e9}),
    option::count("stream", "8", "messages of a stream", {1, 1e6}),
    option::duration("quantum", "1ms", "the work whose time on every rank shows the noise of the operating system",
                     {1e-6, 10}),
    option::count("quanta", "1000", "how often each rank does that work; 0: not at all", {.maximum = 1e7}),
    study::seed("seed of the matchings and of the order of the sizes"),
    study::output,
};

/// Streams of a link alone, beside which those of matchings are set.
constexpr std::size_t alone_streams = 10;

/// Filled on rank 0, as are all results.
struct LinkSamples {
    NetworkLink link;
    std::vector<std::vector<TrainSample>> samples; ///< by size, then by repeat
    std::vector<double> stream_s;                  ///< of one stream alone, by repeat
};

struct MatchingTimes {
    std::vector<RankPair> pairs;
    std::vector<double> stream_s; ///< of each pair
    double alone_s = undefined;   ///< of the first pair, while all others are silent
};

/// What this rank knows of its place; simulated ranks have no cores.
OwnPlace own_place() {
    if constexpr (is_simulated) {
        return {};
    }
    const char* const address = std::getenv("SLURM_TOPOLOGY_ADDR");
    const std::vector<int> cpus = machine::allowed_cpus().value_or(std::vector<int>{});
    return {machine::core_place(machine::SystemTree(), cpus), switch_of(address == nullptr ? "" : address)};
}

/// The same on all ranks.
std::vector<RankPlace> gather_places(LaunchContext& context) {
    constexpr std::string_view unknown = "-"; // a line without a word would be no line
    const OwnPlace own = own_place();
    const auto text_of = [&](const std::optional<int>& number) {
        return number ? std::to_string(*number) : std::string(unknown);
    };
    const std::string way = own.network_switch.empty() ? std::string(unknown) : own.network_switch;
    std::string all;
    for (const std::string& one : mpi::gather_texts(context.record_comm(), text_of(own.core.socket) + "\n" +
                                                                               text_of(own.core.cache) + "\n" + way)) {
        all += one + "\n";
    }
    all = mpi::text_of_root(context.record_comm(), all);
    const auto number_of = [](std::string_view line) {
        const std::optional<std::int64_t> number = machine::to_integer(line);
        return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
    };
    const std::vector<std::string_view> lines = machine::lines(all);
    std::vector<OwnPlace> places;
    for (std::size_t line = 0; line + 2 < lines.size(); line += 3) {
        const std::string_view known = lines[line + 2] == unknown ? std::string_view() : lines[line + 2];
        places.push_back({{number_of(lines[line]), number_of(lines[line + 1])}, std::string(known)});
    }
    return places_of(context.transport().locations(), places);
}

double time_of(Transport& transport, std::uint64_t units) {
    const LocalTime begin = transport.now();
    work(units);
    return transport.now() - begin;
}

/// The units of work that take `quantum_s` on an undisturbed core of rank 0.
std::uint64_t units_of(LaunchContext& context, double quantum_s) {
    constexpr std::uint64_t trial = 100'000;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 20; ++i) {
        least = std::min(least, time_of(context.transport(), trial));
    }
    const double units = std::max(1.0, static_cast<double>(trial) * quantum_s / std::max(least, 1e-9));
    return std::stoull(mpi::text_of_root(context.record_comm(), std::to_string(static_cast<std::uint64_t>(units))));
}

void write_trains(record::JsonWriter& json, const LinkSamples& link) {
    constexpr std::pair<std::string_view, double TrainSample::*> columns[] = {{"single_s", &TrainSample::single_s},
                                                                              {"train_s", &TrainSample::train_s},
                                                                              {"delayed_s", &TrainSample::delayed_s},
                                                                              {"waited_s", &TrainSample::waited_s}};
    for (const auto& [name, field] : columns) {
        Matrix times;
        for (const std::vector<TrainSample>& size : link.samples) {
            std::ranges::transform(size, std::back_inserter(times.emplace_back()), field);
        }
        json.matrix(name, times);
    }
}

class NetworkStudy final : public Study {
public:
    explicit NetworkStudy(const OptionValues& values)
        : train_(values.count("train")), repeats_(values.count("repeats")), most_links_(values.count("links")),
          n_matchings_(values.count("matchings")), stream_bytes_(values.count("stream-size")),
          stream_(values.count("stream")), quantum_s_(values.duration("quantum")), quanta_(values.count("quanta")),
          seed_(values.count("seed")) {
        for (const std::string& size : values.words("sizes")) {
            sizes_bytes_.push_back(parse_count(size, "option 'sizes'"));
        }
        std::ranges::sort(sizes_bytes_);
    }

    void measure(LaunchContext& context) override {
        measure_noise(context); // first: nobody has sent anything yet
        for (const NetworkLink& link : sample_links(gather_places(context), most_links_)) {
            links_.push_back(measure_link(context, link));
        }
        const std::span<const RankLocation> locations = context.transport().locations();
        for (std::uint64_t number = 0; number < n_matchings_; ++number) {
            const std::uint64_t seed = SplitMix64::mix(seed_ + number);
            for (std::vector<RankPair> pairs : {matching_inside(locations, seed), matching_between(locations, seed)}) {
                if (!pairs.empty()) {
                    matchings_.push_back(measure_matching(context, std::move(pairs)));
                }
            }
        }
    }

    void write(record::JsonWriter& json) const override {
        json.list("sizes_bytes", sizes_bytes_).member("train", train_);
        json.array("links", links_, [&](const LinkSamples& link) {
            json.begin_object().member("from", link.link.pair.from).member("to", link.link.pair.to);
            json.member("shared", link.link.shared);
            write_trains(json, link);
            json.list("stream_s", link.stream_s).end_object();
        });
        json.member("stream_bytes", stream_bytes_).member("stream", stream_);
        json.array("matchings", matchings_, [&](const MatchingTimes& matching) {
            std::vector<int> from;
            std::vector<int> to;
            for (const RankPair& pair : matching.pairs) {
                from.push_back(pair.from);
                to.push_back(pair.to);
            }
            json.begin_object().numbers("from", from).numbers("to", to).numbers("stream_s", matching.stream_s);
            json.member("alone_s", matching.alone_s).end_object();
        });
        json.key("noise").begin_object().member("quantum_s", quantum_s_).member("quanta", quanta_);
        json.member("units", units_);
        write_lists(json, noise_);
        json.end_object();
    }

private:
    /// One pair at a time, while all other ranks wait.
    LinkSamples measure_link(LaunchContext& context, const NetworkLink& asked) const {
        Transport& transport = context.transport();
        const RankPair pair = asked.pair;
        std::vector<TrainSample> own(sizes_bytes_.size() * repeats_);
        std::vector<double> streams(alone_streams);
        transport.library_barrier();
        const bool is_client = transport.rank() == pair.from;
        if (is_client || transport.rank() == pair.to) {
            exchange_trains(transport, pair, own);
            exchange_streams(transport, pair, streams);
        }
        // The client's samples go to rank 0 alone: a gather would bring those of all ranks.
        if (is_client && !context.is_root()) {
            transport.send(0, std::as_bytes(std::span(own)));
            transport.send(0, std::as_bytes(std::span(streams)));
        }
        if (context.is_root() && !is_client) {
            transport.receive(pair.from, std::as_writable_bytes(std::span(own)));
            transport.receive(pair.from, std::as_writable_bytes(std::span(streams)));
        }
        LinkSamples link{asked, {}, std::move(streams)};
        for (std::size_t first = 0; first < own.size() && context.is_root(); first += repeats_) {
            const auto begin = own.begin() + static_cast<std::ptrdiff_t>(first);
            link.samples.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(repeats_));
        }
        return link;
    }

    /// In each repeat every size once, in another order, so that what changes meanwhile changes all sizes alike.
    void exchange_trains(Transport& transport, RankPair pair, std::span<TrainSample> own) const {
        std::vector<std::byte> buffer;
        for (std::size_t repeat = 0; repeat <= repeats_; ++repeat) { // the first warms up
            for (const std::uint64_t place : shuffled_order(sizes_bytes_.size(), seed_ + repeat)) {
                buffer.resize(sizes_bytes_[place]);
                if (transport.rank() != pair.from) {
                    answer_trains(transport, pair.from, train_, buffer);
                    continue;
                }
                const TrainSample sample = send_trains(transport, pair.to, train_, buffer);
                if (repeat > 0) {
                    own[place * repeats_ + repeat - 1] = sample;
                }
            }
        }
    }

    void exchange_streams(Transport& transport, RankPair pair, std::span<double> streams_s) const {
        std::vector<std::byte> buffer(stream_bytes_);
        for (std::size_t i = 0; i <= streams_s.size(); ++i) { // the first warms up
            if (transport.rank() != pair.from) {
                receive_stream(transport, pair.from, stream_, buffer);
                continue;
            }
            const double elapsed_s = send_stream(transport, pair.to, stream_, buffer);
            if (i > 0) {
                streams_s[i - 1] = elapsed_s;
            }
        }
    }

    /// All pairs at once, and before that the first one alone, twice: what it sends first warms up.
    MatchingTimes measure_matching(LaunchContext& context, std::vector<RankPair> pairs) const {
        const std::span<const RankPair> all(pairs);
        MatchingTimes matching;
        (void)stream_times(context, all.first(1));
        const std::vector<double> alone = stream_times(context, all.first(1));
        matching.stream_s = stream_times(context, all);
        if (context.is_root()) {
            matching.alone_s = alone.front();
        }
        matching.pairs = std::move(pairs);
        return matching;
    }

    /// Of each pair on rank 0, while all of them send at once.
    std::vector<double> stream_times(LaunchContext& context, std::span<const RankPair> pairs) const {
        Transport& transport = context.transport();
        std::vector<std::byte> buffer(stream_bytes_);
        double elapsed[] = {undefined};
        transport.library_barrier();
        for (const RankPair& pair : pairs) {
            if (transport.rank() == pair.from) {
                elapsed[0] = send_stream(transport, pair.to, stream_, buffer);
            } else if (transport.rank() == pair.to) {
                receive_stream(transport, pair.from, stream_, buffer);
            }
        }
        const std::vector<double> all = mpi::gather_values(context.record_comm(), elapsed);
        std::vector<double> times;
        for (std::size_t i = 0; i < pairs.size() && context.is_root(); ++i) {
            times.push_back(all[static_cast<std::size_t>(pairs[i].from)]);
        }
        return times;
    }

    /// Fixed work quanta (Sottile and Minnich 2004), on all ranks at once.
    void measure_noise(LaunchContext& context) {
        if (is_simulated || quanta_ == 0) { // a simulated rank computes in no time
            for (const std::string_view name : {"least_s", "median_s", "mean_s", "p99_s", "largest_s"}) {
                noise_.push_back({name, Matrix(1)});
            }
            return;
        }
        units_ = units_of(context, quantum_s_);
        std::vector<double> times(quanta_);
        context.transport().library_barrier();
        for (double& time : times) {
            time = time_of(context.transport(), units_);
        }
        std::ranges::sort(times);
        const Summary summary = summarise(times);
        noise_ = gather_named(context.record_comm(), {{"least_s", summary.min},
                                                      {"median_s", summary.median},
                                                      {"mean_s", summary.mean},
                                                      {"p99_s", quantile(times, 0.99)},
                                                      {"largest_s", summary.max}});
    }

    std::vector<std::uint64_t> sizes_bytes_; ///< of the messages of trains; ascending
    std::uint64_t train_;                    ///< messages of one
    std::uint64_t repeats_;
    std::uint64_t most_links_; ///< of each kind
    std::uint64_t n_matchings_;
    std::uint64_t stream_bytes_; ///< of one message of a stream
    std::uint64_t stream_;       ///< messages of one
    double quantum_s_;
    std::uint64_t quanta_; ///< 0: noise is not measured
    std::uint64_t seed_;
    std::vector<LinkSamples> links_;
    std::vector<MatchingTimes> matchings_;
    std::uint64_t units_ = 0; ///< of work in a quantum, the same on all ranks
    std::vector<RankNumbers> noise_;
};

} // namespace

namespace study {
extern const StudyMember network;
const StudyMember network = {
    "network", "state",         "links, effective bisection bandwidth and the noise of the operating system",
    "network", network_options, make<NetworkStudy>};
} // namespace study

} // namespace ictus
