// What every rank has to say, by quantity.
#pragma once

#include <mpi.h>
#include <span>
#include <vector>

namespace ictus {

/// Collective. One list for each of `values` (the same number on all ranks), with one entry a rank in rank order; the
/// lists are empty on all ranks but 0.
[[nodiscard]] std::vector<std::vector<double>> gather_columns(MPI_Comm comm, std::span<const double> values);

} // namespace ictus
