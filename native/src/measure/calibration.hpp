// The global time of a launch, measured before each block of cases and again after it.
#pragma once

#include "base/summary.hpp"
#include "measure/launch_context.hpp"

namespace ictus {

/// One measurement of the clocks as this rank saw it. Seconds.
struct Calibration {
    Synchronised result;
    LocalTime anchored; ///< when this rank's model was exact: earlier than `at` in a deep tree
    LocalTime at;       ///< when it was finished
    double elapsed_s = 0.0;
    std::uint64_t messages = 0; ///< sent by this rank
    double bound_s = undefined; ///< on the model's error at `anchored`; NaN: none, or none later
};

/// The measurement at the end of a block.
struct Closing {
    Calibration measured;
    /// How far the opening model was ahead of the root by then: the error of extrapolation.
    double extrapolated_residual_s = 0.0;
    /// How far the model that maps the stamps was ahead of the root in one more measurement, right after the closing.
    double interpolated_residual_s = 0.0;
    bool interpolates = true; ///< whether stamps between the two meet both; false: they follow the opening model alone
};

/// Collective: the full algorithm. The global clock runs by the new model from here on.
[[nodiscard]] Calibration open_block(LaunchContext& context);

/// Collective: offsets of the modelled clocks, twice. It changes nothing. Without synchronisation it finds
/// nothing.
[[nodiscard]] Closing close_block(LaunchContext& context, const Calibration& opening);

/// The model for stamps taken between the two.
[[nodiscard]] ClockModel model_between(const Calibration& opening, const Closing& closing);

/// The bound on that model's error at any time between the two; NaN where one of them has none.
[[nodiscard]] double bound_between(const Calibration& opening, const Closing& closing);

/// The next block's opening without a full synchronisation: the closing's offset, and the drift between the two, as far
/// as it is known better than the opening's slope. The opening model itself where stamps follow it alone.
[[nodiscard]] Calibration reanchored(const Calibration& opening, const Closing& closing);

} // namespace ictus
