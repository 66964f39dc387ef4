// From every rank's stamps to one record a repetition: reduced over ranks in MPI, never gathered.
#pragma once

#include "measure/case_measurement.hpp"
#include "measure/sink.hpp"
#include "record/sample_record.hpp"

#include <vector>

namespace ictus {

/// How this rank's stamps become global ones, and how far any rank's may be wrong.
struct GlobalMapping {
    ClockModel model;
    double bound_s; ///< of all ranks, seconds; NaN where none is known
};

/// Collective. Records, in seconds per call, of the stamps from `first` on, at most `most`. Complete on rank 0 and
/// empty elsewhere. Piece by piece, so that memory does not grow with the repetitions.
[[nodiscard]] std::vector<record::SampleRecord> reduce_samples(LaunchContext& context, const MeasuredCase& measured,
                                                               const GlobalMapping& mapping, std::size_t first,
                                                               std::size_t most);

/// Collective. Every rank's summary of its own durations over the valid samples; filled on rank 0.
[[nodiscard]] std::vector<record::CaseRankRecord> summarise_ranks(LaunchContext& context, const MeasuredCase& measured);

/// Collective: hands the stamps of all ranks to the sink of rank 0 (null elsewhere), rank by rank. Only on request:
/// this is the one output that grows with ranks times samples.
void bring_raw(LaunchContext& context, const MeasuredCase& measured, Sink* sink);

} // namespace ictus
