// One launch, from synchronising the clocks to the last record (method.md).
#pragma once

#include "measure/plan.hpp"
#include "measure/sink.hpp"
#include "mpi/session.hpp"

namespace ictus {

/// Collective over MPI_COMM_WORLD. `sink` is rank 0's, null elsewhere.
void run_launch(const mpi::Session& session, const LaunchPlan& plan, Sink* sink);

} // namespace ictus
