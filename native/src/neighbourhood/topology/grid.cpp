// `grid`: a Cartesian grid with given lengths, `grid(4,2,periodic=on)`.
#include "base/error.hpp"
#include "neighbourhood/topology/grid_topology.hpp"
#include "neighbourhood/torus_family/tori.hpp"

namespace ictus::topology {
namespace {

constexpr Parameter grid_parameters[] = {
    {.name = "lengths",
     .type = Parameter::Type::list,
     .default_value = "1",
     .help = "ranks along each of 1 to 3 dimensions; their product is the number of ranks"},
    periodic_parameter,
};

std::unique_ptr<Topology> make_grid(const Bound& bound, int n_ranks) {
    std::vector<int> lengths = torus::given_lengths(bound.list("lengths"), n_ranks, "topology 'grid'");
    if (lengths.size() > 3) {
        throw usage_error("topology 'grid': " + std::to_string(lengths.size()) +
                          " lengths; grids have 1 to 3 dimensions");
    }
    return std::make_unique<GridTopology>(std::move(lengths), bound.flag("periodic"));
}

} // namespace

extern const TopologyMember grid;
const TopologyMember grid = {{"grid", "a grid with given lengths", "", grid_parameters}, make_grid};

} // namespace ictus::topology
