// Decides with a repetition how many more samples to take, so that all ranks stop at the same count. Rank 0 decides
// what only rank 0 knows (its time, the latencies of all ranks) and broadcasts the answer. All messages are control
// traffic; the library's own collectives are not used.
#pragma once

#include "measure/case_measurement.hpp"
#include "workload/repetition.hpp"

namespace ictus {

class StoppingControl {
public:
    /// `repetition` outlives it. The time begins now.
    StoppingControl(LaunchContext& context, Repetition& repetition);

    /// Collective unless counts alone decide.
    [[nodiscard]] std::uint64_t next_batch(const MeasuredCase& measured);
    /// Collective where latencies decide: tells rank 0's repetition of the samples from `first` on. Their latency is
    /// the headline one: the makespan on the global clock where clocks are synchronised (by the model that the block
    /// was opened with; the record has the interpolated one), else the duration on the slowest rank; per call.
    void take(const MeasuredCase& measured, std::size_t first);

private:
    LaunchContext& context_;
    Repetition& repetition_;
    LocalTime begun_;
};

} // namespace ictus
