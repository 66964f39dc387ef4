// `jk`: every rank's offset and drift directly against the root. Jones and Koenig 2013; algorithm 15 of "MPI
// benchmarking revisited". The root goes round all ranks once per fit point, so the points of each span the whole
// run: the best slope of the papers' algorithms and the longest run, (p - 1) fitpoints x exchanges round trips one
// after the other.
//
// Before the first point one offset of each rank is measured and thrown away: it warms the path, and an estimator
// that needs the round trip first (mean-rtt) measures it there.
#include "clocksync/tree_walks.hpp"
#include "drift/regression_line.hpp"

#include <cmath>

namespace ictus {
namespace {

constexpr Parameter jk_parameters[] = {
    drift::fitpoints_parameter("1000"),
    drift::span_parameter("0"),
    drift::reanchor_parameter("off"),
    drift::slope_test_parameter("off"),
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "mean-rtt",
     .help = "how each offset is estimated",
     .family = &offset::family},
};

class JonesKoenig final : public ClockSync {
public:
    explicit JonesKoenig(const Bound& bound)
        : rule_(bound), estimator_(offset::registry().make(bound.member("offset"))) {}

    Synchronised synchronise(Transport& transport) override {
        return transport.rank() == 0 ? serve(transport) : learn(transport);
    }

private:
    Synchronised serve(Transport& transport) {
        go_round(transport); // warms up
        LocalTime first;
        for (std::uint64_t i = 0; i < rule_.fitpoints; ++i) {
            rule_.keep_pace(transport, i, first); // the root keeps it, for all
            go_round(transport);
            if (i == 0) {
                first = transport.now();
            }
        }
        if (rule_.reanchor) {
            go_round(transport);
        }
        return clocksync::root_of(transport);
    }

    void go_round(Transport& transport) {
        for (int client = 1; client < transport.size(); ++client) {
            (void)estimator_->measure(transport, {client, Role::reference});
        }
    }

    Synchronised learn(Transport& transport) {
        const Meeting meeting{0, Role::client};
        (void)estimator_->measure(transport, meeting);
        drift::RegressionLine line;
        for (std::uint64_t i = 0; i < rule_.fitpoints; ++i) {
            line.add(estimator_->measure(transport, meeting));
        }
        LearnedModel learned = line.learned(rule_.slope_test);
        if (rule_.reanchor) {
            learned = drift::anchored(learned, estimator_->measure(transport, meeting));
        }
        return {.model = learned.model,
                .at = learned.at,
                .slope_error = learned.slope_error,
                .intercept_error = std::hypot(learned.offset_error, learned.at.s * learned.slope_error)};
    }

    drift::RegressionRule rule_;
    std::unique_ptr<OffsetEstimator> estimator_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember jk;
const ClockSyncMember jk = {
    {"jk", "offset and drift of each rank against the root, which visits all ranks once per point",
     "Jones and Koenig 2013; Hunold and Carpen-Amarie 2016, algorithm 15", jk_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<JonesKoenig>(bound); }};
} // namespace clocksync

} // namespace ictus
