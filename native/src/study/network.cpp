#include "study/network.hpp"

#include "base/defaults.hpp"
#include "base/random.hpp"
#include "base/summary.hpp"
#include "mpi/agreement.hpp"
#include "study/computation.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace ictus {
namespace {

/// Streams of a link alone, beside which those of matchings are set.
constexpr std::size_t alone_streams = 10;

std::size_t place_of(int rank) { return static_cast<std::size_t>(rank); }

/// One pair at a time, while all other ranks wait. In each repeat every size once, in another order, so that what
/// changes meanwhile changes all sizes alike.
LinkSamples measure_link(LaunchContext& context, const NetworkPlan& plan, RankPair pair) {
    Transport& transport = context.transport();
    const std::size_t n_sizes = plan.sizes_bytes.size();
    const std::size_t repeats = plan.repeats;
    std::vector<TrainSample> own(n_sizes * repeats);
    std::vector<double> streams(alone_streams);
    std::vector<std::byte> buffer;
    transport.library_barrier();
    const bool is_client = transport.rank() == pair.from;
    if (is_client || transport.rank() == pair.to) {
        for (std::size_t repeat = 0; repeat <= repeats; ++repeat) { // the first warms up
            for (const std::uint64_t place : shuffled_order(n_sizes, plan.seed + repeat)) {
                buffer.resize(plan.sizes_bytes[place]);
                if (!is_client) {
                    answer_trains(transport, pair.from, plan.train, buffer);
                    continue;
                }
                const TrainSample sample = send_trains(transport, pair.to, plan.train, buffer);
                if (repeat > 0) {
                    own[place * repeats + repeat - 1] = sample;
                }
            }
        }
        buffer.resize(plan.stream_bytes);
        for (std::size_t i = 0; i <= alone_streams; ++i) {
            if (!is_client) {
                receive_stream(transport, pair.from, plan.stream, buffer);
                continue;
            }
            const double elapsed_s = send_stream(transport, pair.to, plan.stream, buffer);
            if (i > 0) {
                streams[i - 1] = elapsed_s;
            }
        }
    }
    // The client's samples go to rank 0 alone: a gather would bring those of all ranks.
    LinkSamples link{pair, {}, {}};
    if (is_client && !context.is_root()) {
        transport.send(0, std::as_bytes(std::span(own)));
        transport.send(0, std::as_bytes(std::span(streams)));
    }
    if (context.is_root() && !is_client) {
        transport.receive(pair.from, std::as_writable_bytes(std::span(own)));
        transport.receive(pair.from, std::as_writable_bytes(std::span(streams)));
    }
    for (std::size_t i = 0; i < n_sizes && context.is_root(); ++i) {
        const auto first = own.begin() + static_cast<std::ptrdiff_t>(i * repeats);
        link.samples.emplace_back(first, first + static_cast<std::ptrdiff_t>(repeats));
    }
    link.stream_s = std::move(streams);
    return link;
}

MatchingTimes measure_matching(LaunchContext& context, const NetworkPlan& plan, std::uint64_t number) {
    Transport& transport = context.transport();
    MatchingTimes matching{random_matching(context.size(), SplitMix64::mix(plan.seed + number)), {}};
    std::vector<std::byte> buffer(plan.stream_bytes);
    double elapsed[] = {undefined};
    transport.library_barrier();
    for (const RankPair& pair : matching.pairs) {
        if (transport.rank() == pair.from) {
            elapsed[0] = send_stream(transport, pair.to, plan.stream, buffer);
        } else if (transport.rank() == pair.to) {
            receive_stream(transport, pair.from, plan.stream, buffer);
        }
    }
    const std::vector<double> all = mpi::gather_values(context.record_comm(), elapsed);
    for (std::size_t i = 0; i < matching.pairs.size() && context.is_root(); ++i) {
        matching.stream_s.push_back(all[place_of(matching.pairs[i].from)]);
    }
    return matching;
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

/// Fixed work quanta (Sottile and Minnich 2004), on all ranks at once.
NoiseTimes measure_noise(LaunchContext& context, const NetworkPlan& plan) {
    NoiseTimes noise;
    if (is_simulated || plan.quanta == 0) { // a simulated rank computes in no time
        return noise;
    }
    noise.units = units_of(context, plan.quantum_s);
    std::vector<double> times(plan.quanta);
    context.transport().library_barrier();
    for (double& time : times) {
        time = time_of(context.transport(), noise.units);
    }
    std::sort(times.begin(), times.end());
    const Summary summary = summarise(times);
    const double values[] = {summary.min, summary.median, summary.mean, quantile(times, 0.99), summary.max};
    auto columns = gather_columns(context.record_comm(), values);
    noise.least_s = std::move(columns[0]);
    noise.median_s = std::move(columns[1]);
    noise.mean_s = std::move(columns[2]);
    noise.p99_s = std::move(columns[3]);
    noise.largest_s = std::move(columns[4]);
    return noise;
}

void write_trains(record::JsonWriter& json, const char* name, const std::vector<std::vector<TrainSample>>& samples,
                  double TrainSample::* field) {
    json.key(name).begin_array();
    for (const std::vector<TrainSample>& size : samples) {
        json.begin_array(record::JsonWriter::Spacing::line);
        for (const TrainSample& sample : size) {
            json.value(sample.*field);
        }
        json.end_array();
    }
    json.end_array();
}

} // namespace

void NetworkStudy::measure(LaunchContext& context) {
    noise_ = measure_noise(context, plan_); // first: nobody has sent anything yet
    for (const RankPair& pair : sample_links(context.transport().locations(), plan_.links)) {
        links_.push_back(measure_link(context, plan_, pair));
    }
    for (std::uint64_t number = 0; number < plan_.matchings; ++number) {
        matchings_.push_back(measure_matching(context, plan_, number));
    }
}

void NetworkStudy::write(record::JsonWriter& json) const {
    json.list("sizes_bytes", plan_.sizes_bytes).member("train", plan_.train);
    json.key("links").begin_array();
    for (const LinkSamples& link : links_) {
        json.begin_object().member("from", link.pair.from).member("to", link.pair.to);
        write_trains(json, "single_s", link.samples, &TrainSample::single_s);
        write_trains(json, "train_s", link.samples, &TrainSample::train_s);
        write_trains(json, "delayed_s", link.samples, &TrainSample::delayed_s);
        write_trains(json, "waited_s", link.samples, &TrainSample::waited_s);
        json.list("stream_s", link.stream_s).end_object();
    }
    json.end_array();
    json.member("stream_bytes", plan_.stream_bytes).member("stream", plan_.stream);
    json.key("matchings").begin_array();
    for (const MatchingTimes& matching : matchings_) {
        std::vector<int> from;
        std::vector<int> to;
        for (const RankPair& pair : matching.pairs) {
            from.push_back(pair.from);
            to.push_back(pair.to);
        }
        json.begin_object().list("from", from).list("to", to).list("stream_s", matching.stream_s).end_object();
    }
    json.end_array();
    json.key("noise").begin_object().member("quantum_s", plan_.quantum_s).member("quanta", plan_.quanta);
    json.member("units", noise_.units).list("least_s", noise_.least_s).list("median_s", noise_.median_s);
    json.list("mean_s", noise_.mean_s).list("p99_s", noise_.p99_s).list("largest_s", noise_.largest_s).end_object();
}

} // namespace ictus
