// `offset-only`: no drift. One offset, right when it is measured, and wrong by the drift from then on.
#include "drift/drift.hpp"

namespace ictus {
namespace {

constexpr Parameter offset_only_parameters[] = {drift_limit_parameter};

class OffsetOnly final : public DriftModel {
public:
    explicit OffsetOnly(const Bound& bound) : drift_limit_(drift_limit(bound)) {}

    LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator& estimator) override {
        const OffsetSample sample = estimator.measure(transport, meeting);
        return {.model = {0.0, sample.offset}, .bound = offset_bound(sample, drift_limit_), .at = sample.at};
    }
    [[nodiscard]] bool proves() const override { return true; }

private:
    double drift_limit_;
};

} // namespace

namespace drift {
extern const DriftMember offset_only;
const DriftMember offset_only = {
    {"offset-only", "one offset, slope 0", "", offset_only_parameters},
    [](const Bound& bound) -> std::unique_ptr<DriftModel> { return std::make_unique<OffsetOnly>(bound); }};
} // namespace drift

} // namespace ictus
