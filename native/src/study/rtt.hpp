// Study of round trips: how long a message and its answer take between each pair of ranks, one exchange after the other
// from the first on, and what offset of the two clocks each of them shows. Layout: file-format.md, clocks.json,
// rtt.
#pragma once

#include "study/study.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace ictus {

struct RoundTripPlan {
    std::vector<int> ranks; ///< whose pairs; empty: the lowest rank of each host, on one host all ranks
    std::uint64_t exchanges = 1000;
};

/// Exchanges of one pair, in their order; as the client, the higher rank, measured them.
struct RoundTrips {
    int client = 0;
    int reference = 0;
    int client_host = 0;
    int reference_host = 0;
    std::vector<double> rtt_s;
    std::vector<double> offset_s;  ///< client's clock minus the reference's, if both ways took equally long
    std::vector<double> elapsed_s; ///< client's time from before the first exchange to after this one
};

class RoundTripStudy final : public Study {
public:
    explicit RoundTripStudy(RoundTripPlan plan) : plan_(std::move(plan)) {}
    [[nodiscard]] std::string_view name() const override { return "rtt"; }
    /// One pair after the other, while all other ranks wait. Throws a PlanError for a rank that does not exist.
    void measure(LaunchContext& context) override;
    void write(record::JsonWriter& json) const override;

private:
    RoundTripPlan plan_;
    std::vector<RoundTrips> pairs_; ///< on rank 0
};

} // namespace ictus
