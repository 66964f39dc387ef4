// What the MPI library says about itself. In this room only this file, control_variables and tool_interface call MPI.
#pragma once

#include "record/launch_json.hpp"

namespace ictus::record {

/// Version, thread level, and whether MPI_Wtime is global. Call it between MPI_Init and MPI_Finalize; it is local to
/// the calling rank.
[[nodiscard]] MpiFacts read_mpi_facts();

} // namespace ictus::record
