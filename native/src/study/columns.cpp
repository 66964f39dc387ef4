#include "study/columns.hpp"

#include "mpi/gather.hpp"

namespace ictus {

std::vector<std::vector<double>> gather_columns(MPI_Comm comm, std::span<const double> values) {
    const std::vector<double> all = mpi::gather_values(comm, values);
    std::vector<std::vector<double>> columns(values.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        columns[i % values.size()].push_back(all[i]);
    }
    return columns;
}

} // namespace ictus
