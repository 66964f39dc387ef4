// `hca`: slopes learnt pair by pair on raw clocks in netgauge's tree, merged towards the root and scattered; then every
// rank's intercept directly against the root, in turn. Hunold and Carpen-Amarie 2016, algorithms 3 and 4.
// ceil(log2 p) rounds of fitpoints x exchanges round trips, then p - 1 offsets.
//
// The merged slopes carry their errors (clockmath/merged_model). The intercept belongs to the merged slope: it is
// offset - slope * time, and so its error contains the slope's.
#include "clocksync/tree_walks.hpp"
#include "drift/regression_line.hpp"

namespace ictus {
namespace {

class Hca final : public ClockSync {
public:
    explicit Hca(const Bound& bound)
        : drift_(drift::registry().make(bound.member("drift"))),
          slope_estimator_(offset::registry().make(bound.member("offset"))),
          intercept_estimator_(clocksync::make_intercept_estimator(bound)) {}

    Synchronised synchronise(Transport& transport) override {
        MergedModel merged = clocksync::merge_to_root(transport, *drift_, *slope_estimator_);
        for (int client = 1; client < transport.size(); ++client) {
            if (transport.rank() == 0) {
                (void)intercept_estimator_->measure(transport, {client, Role::reference});
            } else if (transport.rank() == client) {
                const OffsetSample fresh = intercept_estimator_->measure(transport, {0, Role::client});
                merged = anchored(merged, fresh.at, fresh.offset, drift::offset_error(fresh));
            }
        }
        return clocksync::outcome_of(transport, merged);
    }

private:
    std::unique_ptr<DriftModel> drift_;
    std::unique_ptr<OffsetEstimator> slope_estimator_;
    std::unique_ptr<OffsetEstimator> intercept_estimator_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember hca;
const ClockSyncMember hca = {
    {"hca", "slopes merged in a tree from the leaves up, intercepts directly against the root",
     "Hunold and Carpen-Amarie 2016, algorithms 3 and 4", hca_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Hca>(bound); }};
} // namespace clocksync

} // namespace ictus
