// `netgauge`: offsets in a binomial tree from the leaves up, summed towards the root, scattered by it. Hoefler,
// Schneider, Lumsdaine 2008. ceil(log2 p) rounds of one offset each; no drift is learnt.
//
// Algorithm 11 of "MPI benchmarking revisited" scatters before the extra round of the ranks from the largest power of
// two on, whose partners then add their own offset; here that round's results go to the root as well and all are
// scattered at the end, as the original does.
#include "clocksync/tree_walks.hpp"

namespace ictus {
namespace {

constexpr Parameter netgauge_parameters[] = {
    {.name = "offset",
     .type = Parameter::Type::member,
     .default_value = "min-rtt",
     .help = "how each offset is estimated",
     .family = &offset::family},
};

class Netgauge final : public ClockSync {
public:
    explicit Netgauge(const Bound& bound)
        : offset_only_(drift::registry().make(bind(drift::family(), {"offset-only", {}}))),
          estimator_(offset::registry().make(bound.member("offset"))) {}

    Synchronised synchronise(Transport& transport) override {
        const MergedModel merged = clocksync::merge_to_root(transport, *offset_only_, *estimator_);
        return clocksync::outcome_of(transport, merged);
    }

private:
    std::unique_ptr<DriftModel> offset_only_;
    std::unique_ptr<OffsetEstimator> estimator_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember netgauge;
const ClockSyncMember netgauge = {
    {"netgauge", "offsets summed in a tree from the leaves up and scattered; no drift",
     "Hoefler et al. 2008; Hunold and Carpen-Amarie 2016, algorithm 11", netgauge_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Netgauge>(bound); }};
} // namespace clocksync

} // namespace ictus
