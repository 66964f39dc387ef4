// From every rank's stamps to one record a repetition: reduced over ranks in MPI, never gathered.
#pragma once

#include "measure/case_measurement.hpp"
#include "record/launch_json.hpp"
#include "record/sample_record.hpp"

#include <vector>

namespace ictus {

/// Collective. `model` maps this rank's local time to the global one. The records are complete on rank 0 and empty
/// elsewhere.
[[nodiscard]] std::vector<record::SampleRecord> reduce_samples(Workplace& workplace, const MeasuredCase& measured,
                                                               const ClockModel& model);

/// Collective. Every rank's summary of its own durations over the valid samples; filled on rank 0.
[[nodiscard]] record::PerRankSummary summarise_ranks(Workplace& workplace, const MeasuredCase& measured);

} // namespace ictus
