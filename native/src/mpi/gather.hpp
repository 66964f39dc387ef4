// Bringing what each rank knows to rank 0. Outside all measurement, so the library's own collectives may be used.
#pragma once

#include <mpi.h>
#include <span>
#include <string>
#include <vector>

namespace ictus::mpi {

/// Each rank's text, in rank order, on rank 0; empty elsewhere.
[[nodiscard]] std::vector<std::string> gather_texts(MPI_Comm comm, const std::string& text);

/// Each rank's `values` (the same number on each), one rank after the other, on rank 0; empty elsewhere.
[[nodiscard]] std::vector<double> gather_values(MPI_Comm comm, std::span<const double> values);

} // namespace ictus::mpi
