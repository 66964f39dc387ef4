// Family drift: how a client learns a model of its clock against a reference's from offsets measured over time.
#pragma once

#include "core/clock_model.hpp"
#include "core/error_bound.hpp"
#include "offset/offset.hpp"

#include <limits>

namespace ictus {

/// What the client learnt. Standard errors are NaN where the model has none.
struct LearnedModel {
    ClockModel model;
    double slope_error = std::numeric_limits<double>::quiet_NaN();
    ErrorBound bound{}; ///< NaN where nothing is proven
    double at = 0.0;    ///< the client's local time at which the model's offset is known best
    double offset_error = std::numeric_limits<double>::quiet_NaN(); ///< of the offset at `at`, independent of the slope
};

/// What one offset proves: nothing about the drift.
[[nodiscard]] inline ErrorBound offset_bound(const OffsetSample& sample) {
    return {.at = sample.at, .half_width = sample.bound, .slope = std::numeric_limits<double>::quiet_NaN()};
}

class DriftModel {
public:
    virtual ~DriftModel() = default;
    /// Called by both ranks of a pair. Only the client's result has a meaning.
    virtual LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator& estimator) = 0;
};

using DriftMember = Member<DriftModel>;

namespace drift {
[[nodiscard]] const Registry<DriftModel>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace drift

} // namespace ictus
