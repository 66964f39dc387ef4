// Family drift: how a client learns a model of its clock against a reference's from offsets measured over time.
#pragma once

#include "core/clock_model.hpp"
#include "offset/offset.hpp"

#include <limits>

namespace ictus {

/// What the client learnt. Standard error and bound are NaN where the model has none.
struct LearnedModel {
    ClockModel model;
    double slope_error = std::numeric_limits<double>::quiet_NaN();
    double bound = std::numeric_limits<double>::quiet_NaN(); ///< of the offset at the time of learning, seconds
};

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
