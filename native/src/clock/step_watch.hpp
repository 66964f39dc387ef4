// Ends a launch whose clock was set while it ran: MPI_Wtime may be the time of day, and stamps before and behind a step
// have nothing in common.
#pragma once

#include "clock/clock.hpp"
#include "clockmath/clock_step.hpp"

#include <string>

namespace ictus {

/// Watches a clock that reads MPI_Wtime, as it is or skewed. The other clocks count, and nobody can set them.
class StepWatch {
public:
    explicit StepWatch(Clock& clock);

    /// Throws a measurement Error where the clock was stepped since the last call; `during` says what was done then.
    void require_no_step(const std::string& during);

private:
    [[nodiscard]] StepReading read();

    Clock& clock_;
    bool is_watched_;
    StepReading last_;
};

} // namespace ictus
