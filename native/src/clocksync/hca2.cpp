// `hca2`: as hca, but each pair measures its intercept too, right after its slope, and both are merged towards the
// root. Hunold and Carpen-Amarie 2016, algorithms 3 and 4 with hierarchical intercepts. ceil(log2 p) rounds and
// nothing linear in p; the errors of the intercepts add up along the tree.
#include "clocksync/tree_walks.hpp"
#include "drift/regression_line.hpp"

namespace ictus {
namespace {

/// A drift model whose own intercept gives way to an offset of another estimator.
class ReanchoredDrift final : public DriftModel {
public:
    ReanchoredDrift(std::unique_ptr<DriftModel> slope, std::unique_ptr<OffsetEstimator> intercept)
        : slope_(std::move(slope)), intercept_(std::move(intercept)) {}

    LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator& estimator) override {
        const LearnedModel learned = slope_->learn(transport, meeting, estimator);
        return drift::anchored(learned, intercept_->measure(transport, meeting));
    }

private:
    std::unique_ptr<DriftModel> slope_;
    std::unique_ptr<OffsetEstimator> intercept_;
};

class Hca2 final : public ClockSync {
public:
    explicit Hca2(const Bound& bound)
        : drift_(drift::registry().make(bound.member("drift")), clocksync::make_intercept_estimator(bound)),
          estimator_(offset::registry().make(bound.member("offset"))) {}

    Synchronised synchronise(Transport& transport) override {
        return clocksync::outcome_of(transport, clocksync::merge_to_root(transport, drift_, *estimator_));
    }

private:
    ReanchoredDrift drift_;
    std::unique_ptr<OffsetEstimator> estimator_;
};

} // namespace

namespace clocksync {
extern const ClockSyncMember hca2;
const ClockSyncMember hca2 = {
    {"hca2", "slopes and intercepts of pairs merged in a tree from the leaves up",
     "Hunold and Carpen-Amarie 2016, algorithms 3 and 4", hca_parameters},
    [](const Bound& bound) -> std::unique_ptr<ClockSync> { return std::make_unique<Hca2>(bound); }};
} // namespace clocksync

} // namespace ictus
