// Family drift: how a client learns a model of its clock against a reference's from offsets measured over time.
#pragma once

#include "base/summary.hpp"
#include "clockmath/clock_model.hpp"
#include "clockmath/error_bound.hpp"
#include "offset/offset.hpp"

namespace ictus {

/// What the client learnt. Standard errors are NaN where the model has none.
struct LearnedModel {
    ClockModel model;
    double slope_error = undefined;
    ErrorBound bound{};              ///< NaN where nothing is proven
    LocalTime at{};                  ///< the client's time at which the model's offset is known best
    double offset_error = undefined; ///< of the offset at `at`, independent of the slope
};

/// The bound of one offset, which proves nothing about the drift. The limit of the drift may be known beforehand (NaN:
/// it is not).
[[nodiscard]] inline ErrorBound offset_bound(const OffsetSample& sample, double drift_limit = undefined) {
    return {.at = sample.at, .half_width = sample.bound, .slope = drift_limit};
}

/// For members that learn no drift.
inline constexpr Parameter drift_limit_parameter = {
    .name = "drift_limit",
    .type = Parameter::Type::rate,
    .default_value = "auto",
    .help = "largest drift between two clocks, such as from their data sheet; the bound grows by it. auto: not known, "
            "and the bound holds only at the time of the measurement",
    .minimum = 0,
    .maximum = 0.01,
    .allows_auto = true};

[[nodiscard]] inline double drift_limit(const Bound& bound) {
    return bound.is_auto("drift_limit") ? undefined : bound.real("drift_limit");
}

class DriftModel {
public:
    virtual ~DriftModel() = default;
    /// Called by both ranks of a pair. Only the client's result means anything.
    virtual LearnedModel learn(Transport& transport, const Meeting& meeting, OffsetEstimator& estimator) = 0;
    /// Whether its exchanges prove a bound at the time of the offset, or contradict each other.
    [[nodiscard]] virtual bool proves() const { return false; }
};

using DriftMember = Member<DriftModel>;

namespace drift {
[[nodiscard]] const Registry<DriftModel>& registry();
[[nodiscard]] const FamilyInfo& family();
} // namespace drift

} // namespace ictus
