// `cartesian`: a grid with the lengths that MPI_Dims_create gives, by MPI_Cart_create.
#include "mpi/check.hpp"
#include "neighbourhood/topology/grid_topology.hpp"

namespace ictus::topology {
namespace {

constexpr Parameter cartesian_parameters[] = {
    {.name = "dimensions",
     .type = Parameter::Type::count,
     .default_value = "2",
     .help = "their number; a rank has two neighbours in each",
     .minimum = 1,
     .maximum = 3},
    periodic_parameter,
};

std::unique_ptr<Topology> make_cartesian(const Bound& bound, int n_ranks) {
    std::vector<int> lengths(bound.count("dimensions"), 0);
    mpi::check(MPI_Dims_create(n_ranks, static_cast<int>(lengths.size()), lengths.data()), "MPI_Dims_create");
    return std::make_unique<GridTopology>(std::move(lengths), bound.flag("periodic"));
}

} // namespace

extern const TopologyMember cartesian;
const TopologyMember cartesian = {
    {"cartesian", "a grid whose lengths MPI_Dims_create chooses", "", cartesian_parameters}, make_cartesian};

} // namespace ictus::topology
