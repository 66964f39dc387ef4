// `mean-rtt`: half of the mean round trip is taken off each answer, and the answers' median counts. Jones and Koenig
// 2013; algorithms 15 and 17 of "MPI benchmarking revisited". As printed, algorithm 15 sorts the offsets without
// their times and then looks for the time of the median. Here they stay pairs; of an even number the lower median
// counts, which is one of them.
//
// The round trip is measured once a pair, in the first measurement: 10 warm-ups, `rtt_exchanges` that count, the mean
// of what lies inside Tukey's fences. Under jitter the median of one way and half of the mean of both are not the same,
// a bias that no number of exchanges removes (exponential jitter: about a quarter of its mean). The bound is that of
// the interval all the same, and the estimate may lie outside it.
//
// Cost: 2 messages an exchange. The last ping says that it is the last, so that the reference need not know whether
// this measurement began with a round trip.
#include "base/summary.hpp"
#include "offset/intersection.hpp"

#include <unordered_map>
#include <utility>
#include <vector>

namespace ictus {
namespace {

constexpr Parameter mean_rtt_parameters[] = {
    offset::exchanges_parameter("round trips of which the median offset counts"),
    {.name = "rtt_exchanges",
     .type = Parameter::Type::count,
     .default_value = "100",
     .help = "round trips to average, once a pair",
     .minimum = 1,
     .maximum = 1e6},
};

class MeanRtt final : public OffsetEstimator {
public:
    explicit MeanRtt(const Bound& bound)
        : exchanges_(bound.count("exchanges")), rtt_exchanges_(bound.count("rtt_exchanges")) {}

    OffsetSample measure(Transport& transport, const Meeting& meeting) override {
        if (meeting.role == Role::reference) {
            offset::serve(transport, meeting.peer);
            return {};
        }
        const double one_way = mean_round_trip(transport, meeting.peer) / 2;
        offset::Intersection proven;
        std::vector<std::pair<ClockOffset, LocalTime>> offsets; // and their times
        offsets.reserve(exchanges_);
        offset::ping_each(transport, meeting.peer, exchanges_, [&](const auto& exchange) {
            proven.add(exchange);
            offsets.emplace_back(exchange.upper() - one_way, exchange.received);
        });
        const auto median = offsets.begin() + static_cast<std::ptrdiff_t>((offsets.size() - 1) / 2);
        std::nth_element(offsets.begin(), median, offsets.end());
        return proven.sample(median->second, median->first);
    }

private:
    double mean_round_trip(Transport& transport, int reference) {
        const auto known = mean_round_trips_.find(reference);
        if (known != mean_round_trips_.end()) {
            return known->second;
        }
        constexpr int warm_ups = 10;
        for (int i = 0; i < warm_ups; ++i) {
            (void)offset::ping(transport, reference);
        }
        std::vector<double> round_trips(rtt_exchanges_);
        for (double& round_trip : round_trips) {
            round_trip = offset::ping(transport, reference).duration();
        }
        return mean_round_trips_[reference] = mean_inside_fences(std::move(round_trips));
    }

    std::uint64_t exchanges_;
    std::uint64_t rtt_exchanges_;
    std::unordered_map<int, double> mean_round_trips_; // by reference
};

} // namespace

namespace offset {
extern const OffsetMember mean_rtt;
const OffsetMember mean_rtt = {
    {"mean-rtt", "median of the offsets from which half of the mean round trip is subtracted",
     "Jones and Koenig 2013; Hunold and Carpen-Amarie 2016, algorithms 15 and 17", mean_rtt_parameters},
    [](const Bound& bound) -> std::unique_ptr<OffsetEstimator> { return std::make_unique<MeanRtt>(bound); }};
} // namespace offset

} // namespace ictus
