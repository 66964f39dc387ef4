// One repetition of a nonblocking operation with a computation between its begin and its completion, phase by phase.
// Each call has a timed window of its own, with nothing but the call between two readings of the clock. A computation
// lasts from the end of one window to the start of the next.
#pragma once

#include "clock/clock.hpp"
#include "study/computation.hpp"
#include "workload/operation/operation.hpp"

#include <cstdint>

namespace ictus {

struct Computation {
    ComputationKind kind = ComputationKind::none;
    std::uint64_t amount = 0; ///< ticks of this rank's clock, or units of work
    ProgressCalls tests;      ///< calls of MPI_Test in it
};

/// Ticks of this rank's clock.
struct Phases {
    std::int64_t init = 0;
    std::int64_t test = 0;
    std::int64_t compute = 0;
    std::int64_t wait = 0;

    [[nodiscard]] std::int64_t total() const { return init + test + compute + wait; }
};

/// Begins, computes, tests and completes. Throws what MPI returned if a call failed.
[[nodiscard]] Phases overlap_once(Clock& clock, Startable& operation, const Computation& computation);

/// The same phases and clock readings without communication: the duration of the computation alone.
[[nodiscard]] Phases compute_alone(Clock& clock, const Computation& computation);

/// Undisturbed duration of `units`, seconds: the median over pieces far shorter than a scheduler's slice stands for
/// all. Another process on the core makes the work longer, but not this value.
[[nodiscard]] double undisturbed_s(Clock& clock, std::uint64_t units);

/// Raised step by step until the undisturbed computation takes `least_s`; no communication. Throws a measurement Error
/// where time stands still while a process computes.
[[nodiscard]] std::uint64_t find_workload(Clock& clock, double least_s);

} // namespace ictus
