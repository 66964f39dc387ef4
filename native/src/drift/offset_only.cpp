// `offset-only`: no drift. One offset, right when it was measured and wrong by the drift from then on.
#include "drift/drift.hpp"

namespace ictus {
namespace {

class OffsetOnly final : public DriftModel {
public:
    LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator& estimator) override {
        const OffsetSample sample = estimator.measure(transport, meeting);
        return {.model = {0.0, sample.offset}, .bound = offset_bound(sample), .at = sample.at};
    }
};

} // namespace

namespace drift {
extern const DriftMember offset_only;
const DriftMember offset_only = {
    {"offset-only", "one offset, slope 0", "", {}},
    [](const Bound&) -> std::unique_ptr<DriftModel> { return std::make_unique<OffsetOnly>(); }};
} // namespace drift

} // namespace ictus
