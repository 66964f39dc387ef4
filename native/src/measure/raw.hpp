// Raw output: every rank's stamps, brought to rank 0. Only on request, for it is the one thing that grows with ranks
// times samples.
#pragma once

#include "measure/case_measurement.hpp"
#include "record/sample_record.hpp"

namespace ictus {

/// Collective. All ranks' stamps of a case on rank 0, rank by rank; empty elsewhere.
[[nodiscard]] std::vector<record::RawRecord> gather_raw(Workplace& workplace, const MeasuredCase& measured);

} // namespace ictus
