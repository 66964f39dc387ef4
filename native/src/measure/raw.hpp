// Raw output: every rank's stamps, brought to rank 0. Only on request, for it is the one thing that grows with ranks
// times samples.
#pragma once

#include "measure/case_measurement.hpp"
#include "measure/sink.hpp"

namespace ictus {

/// Collective. Hands all ranks' stamps of a case to rank 0's sink (null elsewhere), rank by rank.
void bring_raw(Workplace& workplace, const MeasuredCase& measured, Sink* sink);

} // namespace ictus
