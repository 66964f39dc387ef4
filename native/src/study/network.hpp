// Study of the network: what the machine is before libraries are compared on it. Links by trains of messages
// (study/link.hpp), bandwidth while all ranks send in random matchings, and the noise of the operating system by a
// fixed quantum of work on every rank. Layout: file-format.md, network.json.
#pragma once

#include "study/link.hpp"
#include "study/network_pairs.hpp"
#include "study/study.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace ictus {

struct NetworkPlan {
    std::vector<std::uint64_t> sizes_bytes; ///< of the messages of trains; ascending, at least 1
    std::uint64_t train = 16;
    std::uint64_t repeats = 50;
    std::uint64_t links = 4; ///< of each kind at most
    std::uint64_t matchings = 20;
    std::uint64_t stream_bytes = 1 << 20; ///< one message of a stream
    std::uint64_t stream = 8;             ///< messages of a stream
    double quantum_s = 1e-3;
    std::uint64_t quanta = 1000; ///< 0: noise is not measured
    std::uint64_t seed = 1;
};

/// Filled on rank 0, as are all results.
struct LinkSamples {
    RankPair pair;
    std::vector<std::vector<TrainSample>> samples; ///< by size, then by repeat
    std::vector<double> stream_s;                  ///< of one stream alone, by repeat
};

struct MatchingTimes {
    std::vector<RankPair> pairs;
    std::vector<double> stream_s; ///< of each pair
};

/// The times of the quanta, of each rank. Without quanta all are empty.
struct NoiseTimes {
    std::uint64_t units = 0; ///< of work in a quantum, the same on all ranks
    std::vector<double> least_s, median_s, mean_s, p99_s, largest_s;
};

class NetworkStudy final : public Study {
public:
    explicit NetworkStudy(NetworkPlan plan) : plan_(std::move(plan)) {}
    [[nodiscard]] std::string_view name() const override { return "network"; }
    void measure(LaunchContext& context) override;
    void write(record::JsonWriter& json) const override;

private:
    NetworkPlan plan_;
    std::vector<LinkSamples> links_;
    std::vector<MatchingTimes> matchings_;
    NoiseTimes noise_;
};

} // namespace ictus
