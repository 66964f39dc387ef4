// What the MPI library says of itself. With control_variables and tool_interface the only part of record that calls
// MPI.
#pragma once

#include "record/launch_json.hpp"

namespace ictus::record {

/// Version, thread level and the reach of MPI_Wtime. Between MPI_Init and MPI_Finalize; local to the calling rank.
[[nodiscard]] MpiFacts read_mpi_facts();

} // namespace ictus::record
