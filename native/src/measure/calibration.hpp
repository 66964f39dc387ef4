// The global time of a launch, measured before each block of cases and again after it.
#pragma once

#include "measure/workplace.hpp"

namespace ictus {

/// One measurement of the clocks as this rank saw it.
struct Calibration {
    Synchronised result;
    LocalTime anchored; ///< when this rank's model was exact: earlier than `at` in a deep tree
    LocalTime at;       ///< when it was finished
    double elapsed_s = 0.0;
    std::uint64_t messages = 0; ///< sent by this rank
    double residual_s = 0.0;    ///< closing only: how far the opening model was ahead of the root by then
};

/// Collective: the full algorithm. The global clock runs by the new model from here on.
[[nodiscard]] Calibration open_block(Workplace& workplace);

/// Collective: one offset per rank of the modelled clocks. Nothing is changed by it. Without synchronisation it finds
/// nothing.
[[nodiscard]] Calibration close_block(Workplace& workplace, const Calibration& opening);

/// The model for stamps taken between the two.
[[nodiscard]] ClockModel model_between(const Calibration& opening, const Calibration& closing);

/// The next block's opening without a full synchronisation: the opening's slope, the closing's offset.
[[nodiscard]] Calibration reanchored(const Calibration& opening, const Calibration& closing);

} // namespace ictus
